// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What cannot be done is refused at once, in the thread of the caller; what goes wrong later, whatever it is, ends the call (V7). */
final class LedgerArgumentsTest {
    private static final int PAIRS_BYTES_MAX = CreateOptions.CUSTOM_BYTES_MAX;

    private final SimulatedCluster cluster = new SimulatedCluster(5, 3);
    private final LedgerClient client = cluster.client("writer");

    private static void assertRefused(ThrowingCallable... calls) {
        assertThat(Arrays.asList(calls))
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void impossibleNumbersAreRefusedInTheThreadOfTheCaller() {
        assertRefused(
                () -> client.list(-1, 0),
                () -> client.list(-2, 1),
                () -> client.open(-1, OpenOptions.DEFAULT),
                () -> client.recover(-1, OpenOptions.DEFAULT),
                () -> client.verify(-1, OpenOptions.DEFAULT),
                () -> client.fence(-1),
                () -> client.delete(-1),
                () -> client.metadata(-1));
    }

    @Test
    void theTextPairsOfALedgerAreBoundedAndWhole() { // S-30
        CreateOptions most = CreateOptions.DEFAULT.withCustom(Map.of("é", "x".repeat(PAIRS_BYTES_MAX - 2)));
        LedgerWriter writer = cluster.await(client.create(most));
        assertThat(cluster.await(client.metadata(writer.ledgerId())).value().custom())
                .isEqualTo(most.custom());

        assertRefused(
                () -> most.withCustom(Map.of("é", "x".repeat(PAIRS_BYTES_MAX - 1))),
                () -> most.withCustom(Collections.singletonMap("key", null)),
                () -> most.withCustom(Collections.singletonMap(null, "value")));
    }

    @Test
    void theTextPairsAreThoseOfTheMomentInWhichTheyWereGiven() {
        Map<String, String> pairs = new TreeMap<>(Map.of("owner", "billing"));
        CreateOptions options = CreateOptions.DEFAULT.withCustom(pairs);
        pairs.clear();

        assertThat(options.custom()).containsExactly(Map.entry("owner", "billing"));
    }

    @Test
    void aBufferThatWasReleasedIsRefusedAndHarmsNoWriter() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        AdvancedLedgerWriter advanced = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        ByteBuf released = payload(0);
        released.release();

        assertRefused(() -> writer.append(released), () -> advanced.append(0, released));
        assertThat(cluster.await(writer.append(payload(0)))).isZero();
        assertThat(cluster.await(advanced.append(0, payload(0)))).isZero();
    }

    @Test
    void aDeletionAfterTheShutdownDeletesNothing() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.close());
        cluster.await(client.shutdown());

        CompletableFuture<Void> deletion = client.delete(writer.ledgerId());
        cluster.world.runFor(SECOND);

        assertThatThrownBy(deletion::join).hasCauseInstanceOf(LedgerException.HandleClosed.class);
        LedgerClient other = cluster.client("other");
        assertThat(cluster.await(other.list(-1, 10)).items()).containsExactly(writer.ledgerId());
    }

    @Test
    void aCallEndsAlsoWhenTheStoreOrWhatFollowsThrows() { // V7
        cluster.world.onFailure((loop, failure) -> {}); // as a program that logs them
        LedgerClient broken = cluster.client("broken", SimulatedCluster.settings(), new BrokenStore());
        List<Supplier<CompletableFuture<?>>> calls = List.of(
                () -> broken.recover(1, OpenOptions.DEFAULT),
                () -> broken.open(1, OpenOptions.DEFAULT),
                () -> broken.verify(1, OpenOptions.DEFAULT),
                () -> broken.fence(1),
                () -> broken.delete(1),
                () -> broken.metadata(1),
                () -> broken.list(-1, 1),
                () -> broken.create(CreateOptions.DEFAULT),
                () -> broken.create(CreateOptions.DEFAULT.withLedgerId(9)),
                () -> broken.createAdvanced(CreateOptions.DEFAULT));

        for (Supplier<CompletableFuture<?>> call : calls) {
            assertThatThrownBy(() -> cluster.await(call.get())).hasCauseInstanceOf(LedgerException.Bug.class);
        }
    }

    /** A store with a bug: it throws where it should fail. */
    private static final class BrokenStore implements LedgerMetadataStore {
        private static IllegalStateException bug() {
            return new IllegalStateException("a bug of the store");
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
            throw bug();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
            throw bug();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
            throw bug();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
            throw bug();
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            throw bug();
        }

        @Override
        public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
            throw bug();
        }

        @Override
        public Watch watch(long ledgerId, Runnable listener) {
            throw bug();
        }
    }
}
