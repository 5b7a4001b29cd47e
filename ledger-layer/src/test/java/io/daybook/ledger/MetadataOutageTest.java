// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.testkit.simulated.BookieKnobs;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** S-31: the metadata store is away for ten minutes, for clients and bookies alike, and a bookie dies meanwhile. */
final class MetadataOutageTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MINUTES = 10;
    private static final int APPENDS_PER_MINUTE = 20;

    private final SimulatedWorld world = new SimulatedWorld(31);
    private final io.daybook.testkit.simulated.SimulatedCluster cluster =
            new io.daybook.testkit.simulated.SimulatedCluster(world, 3, BookieKnobs.DEFAULT);
    private final LedgerClient client = client("client");

    private LedgerClient client(String machine) {
        return DaybookLedgerClient.open(
                SimulatedCluster.settings(),
                world.machine(machine).start(),
                cluster.newSession(machine),
                io.daybook.testkit.simulated.SimulatedCluster.CLUSTER);
    }

    private <T> T await(CompletableFuture<T> outcome) {
        return world.await(outcome, 60 * SECOND);
    }

    private LedgerWriter create(LedgerClient creator) {
        return await(creator.create(CreateOptions.DEFAULT.withQuorums(new Quorums(3, 3, 2))));
    }

    private static String payload(long entryId) {
        return "entry " + entryId;
    }

    private void append(LedgerWriter writer, long entryId) {
        CompletableFuture<Long> outcome = new CompletableFuture<>();
        writer.append(
                Unpooled.copiedBuffer(payload(entryId), StandardCharsets.UTF_8),
                LedgerWriter.AppendListener.completing(outcome));
        assertThat(await(outcome)).isEqualTo(entryId);
    }

    private void assertReads(LedgerReader reader, long entryId) {
        try (LedgerEntries entries = await(reader.read(entryId, 1, 64 * 1024))) {
            assertThat(entries.list().get(0).payload().toString(StandardCharsets.UTF_8))
                    .isEqualTo(payload(entryId));
        }
    }

    @Test
    void appendsAndReadsGoOnAndAfterwardsEverythingWorksWithoutARestart() {
        LedgerWriter writer = create(client);
        append(writer, 0);
        append(writer, 1);
        LedgerReader reader = await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        long next = 2;

        cluster.metadata().outage();
        for (int minute = 0; minute < MINUTES; minute++) {
            for (int i = 0; i < APPENDS_PER_MINUTE; i++) {
                append(writer, next++);
            }
            assertReads(reader, 0);
            if (minute == MINUTES / 2) {
                cluster.kill(2, SECOND);
            }
            world.runFor(60 * SECOND);
        }
        cluster.metadata().heal();
        cluster.up(2);
        world.runFor(30 * SECOND);

        append(writer, next++);
        assertThat(await(writer.close())).isEqualTo(next - 1);
        LedgerClient other = client("other");
        LedgerReader all = await(other.open(writer.ledgerId(), OpenOptions.DEFAULT));
        for (long entryId = 0; entryId < next; entryId++) {
            assertReads(all, entryId);
        }
        LedgerWriter another = create(other);
        append(another, 0);
        assertThat(await(client.recover(another.ledgerId(), OpenOptions.DEFAULT))
                        .lastAddConfirmed())
                .isZero();
        assertThat(cluster.wrongs()).isEmpty();
        assertThat(cluster.isServing(2)).isTrue();
    }
}
