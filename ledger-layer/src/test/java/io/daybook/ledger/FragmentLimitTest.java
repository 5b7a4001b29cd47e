// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.runtime.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** S-30 (a): what a ledger does whose members fail again and again, so that its metadata would outgrow what a store takes. */
final class FragmentLimitTest {
    private static final int METADATA_BYTES_MAX = 600 * 1024;

    private final SimulatedCluster cluster = new SimulatedCluster(1, 6);
    private final LedgerMetadataStore store = cluster.session("writer").ledgers();

    /** Keeps the first replacement as the last one of so many that no further one has room. */
    private final class StoreAfterManyReplacements implements LedgerMetadataStore {
        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
            if (metadata.fragments().size() != 2) {
                return store.replace(metadata, version);
            }
            List<Fragment> many = new ArrayList<>();
            List<BookieId> first = metadata.fragments().get(0).ensemble();
            IntStream.range(0, Limits.FRAGMENTS_MAX - 1).forEach(id -> many.add(new Fragment(id, first)));
            many.add(metadata.lastFragment());
            return store.replace(
                    new LedgerMetadata(
                            metadata.ledgerId(),
                            metadata.quorums(),
                            metadata.digest(),
                            metadata.state(),
                            metadata.lastEntryId(),
                            metadata.lengthBytes(),
                            many,
                            metadata.custom(),
                            metadata.createdMillis(),
                            metadata.token()),
                    version);
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
            return store.create(metadata);
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
            return store.read(ledgerId);
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
            return store.readLatest(ledgerId);
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return store.delete(ledgerId);
        }

        @Override
        public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
            return store.list(afterLedgerId, countMax);
        }

        @Override
        public Watch watch(long ledgerId, Runnable listener) {
            return store.watch(ledgerId, listener);
        }
    }

    private LedgerMetadata present(LedgerWriter writer) {
        return cluster.await(store.readLatest(writer.ledgerId())).value();
    }

    private void crashAMember(LedgerWriter writer) {
        for (BookieId member : present(writer).lastFragment().ensemble()) {
            if (cluster.machine(cluster.nameOf(member)).isRunning()) {
                cluster.crashBookie(member);
                return;
            }
        }
    }

    @Test
    void writerGoesOnWithTheMembersItHasAndFailsClearlyWithoutAnAckQuorum() {
        LedgerWriter writer =
                cluster.await(cluster.client("writer", SimulatedCluster.settings(), new StoreAfterManyReplacements())
                        .create(CreateOptions.DEFAULT.withQuorums(new Quorums(3, 3, 2))));
        LedgerClusterTest.append(writer, Limits.FRAGMENTS_MAX + 10).forEach(cluster::await);
        crashAMember(writer);
        LedgerClusterTest.append(writer, 50).forEach(cluster::await);
        while (present(writer).fragments().size() < Limits.FRAGMENTS_MAX) {
            cluster.await(writer.append(LedgerClusterTest.payload(1)));
        }
        LedgerMetadata full = present(writer);

        crashAMember(writer);
        LedgerClusterTest.append(writer, 50).forEach(cluster::await);

        assertThat(present(writer)).isEqualTo(full);

        crashAMember(writer);
        Throwable failure = catchThrowable(() -> cluster.await(writer.append(LedgerClusterTest.payload(2))));
        assertThat(Failures.rootOf(failure))
                .isInstanceOf(LedgerException.NotEnoughBookies.class)
                .hasMessageContaining("ledger " + writer.ledgerId())
                .hasMessageContaining("cannot be replaced: the ledger has 1000 fragments");
        assertThat(present(writer)).isEqualTo(full);
    }

    @Test
    void metadataOfTheMostFragmentsAndTheWidestEnsembleFitIntoARequest() {
        List<Fragment> fragments = new ArrayList<>();
        for (int i = 0; i < Limits.FRAGMENTS_MAX; i++) {
            int first = i;
            fragments.add(new Fragment(
                    i,
                    IntStream.range(0, Limits.ENSEMBLE_MAX)
                            .mapToObj(slot -> new BookieId(first + 1, slot + 1))
                            .toList()));
        }
        int wide = Limits.ENSEMBLE_MAX;
        LedgerMetadata largest = new LedgerMetadata(
                7,
                new Quorums(wide, wide, wide),
                DigestType.CRC32C,
                LedgerState.OPEN,
                -1,
                0,
                fragments,
                Map.of(),
                0,
                new WriteToken(1, 2));

        assertThat(LedgerFormat.encode(largest)).hasSizeLessThan(METADATA_BYTES_MAX);
    }
}
