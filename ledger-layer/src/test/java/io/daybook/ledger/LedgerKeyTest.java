// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.checkAll;
import static io.daybook.ledger.LedgerClusterTest.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Ledgers with an HMAC: who has no key, or another one, learns nothing and changes nothing (P-06). */
final class LedgerKeyTest {
    private static final DigestKey KEY = DigestKey.of("0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    private static final DigestKey OTHER = DigestKey.of("another key, as long".getBytes(StandardCharsets.UTF_8));
    private static final CreateOptions WITH_KEY = CreateOptions.DEFAULT.withDigest(DigestType.HMAC_SHA256, KEY);
    private static final OpenOptions RIGHT = OpenOptions.DEFAULT.withKey(KEY);
    private static final OpenOptions WRONG = OpenOptions.DEFAULT.withKey(OTHER);

    private final SimulatedCluster cluster = new SimulatedCluster(5, 3);
    private final LedgerClient client = cluster.client("writer");

    private Versioned<LedgerMetadata> metadata(long ledgerId) {
        return cluster.await(client.metadata(ledgerId));
    }

    @Test
    void aLedgerWithAnHmacIsReadAndRecoveredOnlyWithItsKey() { // P-06, S-12, P-126
        LedgerWriter writer = cluster.await(client.create(WITH_KEY));
        append(writer, 2);

        checkAll(cluster, cluster.await(client.recover(writer.ledgerId(), RIGHT)), 1);
        checkAll(cluster, cluster.await(client.open(writer.ledgerId(), RIGHT)), 1);
        assertThat(cluster.await(client.verify(writer.ledgerId(), RIGHT)).isSound())
                .isTrue();
        assertThatThrownBy(() -> client.create(WITH_KEY.withDigest(DigestType.HMAC_SHA256, DigestKey.NONE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoHasNoKeyOrAnotherOneIsRefusedAndTheLedgerIsNeitherFencedNorChanged() { // P-06
        LedgerWriter writer = cluster.await(client.create(WITH_KEY));
        long id = writer.ledgerId();
        cluster.await(writer.append(payload(0)));
        long version = metadata(id).version();

        for (OpenOptions options : List.of(OpenOptions.DEFAULT, WRONG)) {
            List<Supplier<CompletableFuture<?>>> calls = List.of(
                    () -> client.open(id, options),
                    () -> client.recover(id, options),
                    () -> client.verify(id, options));
            for (Supplier<CompletableFuture<?>> call : calls) {
                assertThatThrownBy(() -> cluster.await(call.get()))
                        .hasCauseInstanceOf(LedgerException.WrongKey.class)
                        .hasMessageContaining("ledger " + id);
            }
        }

        assertThat(metadata(id).version()).isEqualTo(version);
        assertThat(metadata(id).value().state()).isEqualTo(LedgerState.OPEN);
        assertThat(cluster.await(writer.append(payload(1)))).isEqualTo(1); // No bookie was fenced.
        assertThat(cluster.await(writer.close())).isEqualTo(1);
        assertThatThrownBy(() -> cluster.await(client.open(id, WRONG)))
                .hasCauseInstanceOf(LedgerException.WrongKey.class);
    }

    @Test
    void whatMetadataKeepOfAKeyIsAsTheFormatSays() { // P-06, docs/formats.md
        CreateOptions options = WITH_KEY.withLedgerId(7).withCustom(Map.of("owner", "billing"));
        cluster.await(client.create(options));
        LedgerWriter without = cluster.await(client.create(CreateOptions.DEFAULT));

        assertThat(metadata(7).value().custom())
                .containsOnly(
                        Map.entry("owner", "billing"),
                        Map.entry(
                                "daybook.key-check",
                                "aca6796715eb1e352d68a377602cdf4f7f12cbea1caf6cd37334f3fc6e600c8c"));
        assertThat(metadata(without.ledgerId()).value().custom()).isEmpty();
    }

    @Test
    void aLedgerWhoseMetadataKeepNothingOfItsKeyIsOpenedAndItsEntriesAreCheckedOnly() { // made by an earlier version
        LedgerWriter writer = cluster.await(client.create(WITH_KEY));
        append(writer, 2);
        cluster.await(writer.close());
        forgetCheck(metadata(writer.ledgerId()));

        checkAll(cluster, cluster.await(client.open(writer.ledgerId(), RIGHT)), 1);
        LedgerReader blind = cluster.await(client.open(writer.ledgerId(), WRONG));
        assertThatThrownBy(() -> cluster.await(blind.read(0, 1, 1)))
                .hasCauseInstanceOf(LedgerException.EntryCorrupt.class);
        assertThatThrownBy(() -> cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT)))
                .hasCauseInstanceOf(LedgerException.WrongKey.class);
    }

    private void forgetCheck(Versioned<LedgerMetadata> read) {
        LedgerMetadata ledger = read.value();
        Map<String, String> custom = new TreeMap<>(ledger.custom());
        assertThat(custom.remove("daybook.key-check")).isNotNull();
        LedgerMetadata before = new LedgerMetadata(
                ledger.ledgerId(),
                ledger.quorums(),
                ledger.digest(),
                ledger.state(),
                ledger.lastEntryId(),
                ledger.lengthBytes(),
                ledger.fragments(),
                custom,
                ledger.createdMillis(),
                new WriteToken(1, 1));
        cluster.await(cluster.session("operator").ledgers().replace(before, read.version()));
    }
}
