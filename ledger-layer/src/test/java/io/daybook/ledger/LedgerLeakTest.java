// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every buffer given to the client, or received by it, is given back (P-88). */
final class LedgerLeakTest {
    private final SimulatedCluster cluster = new SimulatedCluster(11, 5);
    private final List<ByteBuf> payloads = new ArrayList<>();

    private CompletableFuture<Long> append(LedgerWriter writer) {
        ByteBuf payload = Unpooled.buffer(100).writeZero(100);
        payloads.add(payload);
        return writer.append(payload);
    }

    @Test
    void anEventfulLifeLeavesNothingBehind() {
        LedgerClient client = cluster.client("writer");
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        for (int i = 0; i < 200; i++) {
            append(writer);
        }
        cluster.world.runFor(300_000);
        cluster.crashBookie(0);
        cluster.await(append(writer));
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        CompletableFuture<LedgerEntries> tail = reader.readTail(0, 1000, 1 << 20, SECOND);
        cluster.await(tail).close();
        CompletableFuture<LedgerEntries> abandoned = reader.readTail(5000, 10, 100, 100 * SECOND);
        for (int i = 0; i < 20; i++) {
            append(writer);
        }
        CompletableFuture<LedgerReader> recovery =
                cluster.client("other").recover(writer.ledgerId(), OpenOptions.DEFAULT);
        cluster.await(recovery).close();
        append(writer);
        cluster.await(client.shutdown());
        append(writer);
        cluster.world.runFor(SECOND);

        assertThat(payloads).allMatch(payload -> payload.refCnt() == 0);
        assertThat(abandoned).isDone();
        assertThat(cluster.machine("writer").host().buffers().outstanding()).isZero();
        assertThat(cluster.machine("other").host().buffers().outstanding()).isZero();
    }
}
