// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.cluster.LedgerConnection;
import io.daybook.benchmarks.load.LedgerLane;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.Quorums;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Appends entries to new ledgers, and deletes these at the end. */
public final class LedgerAppends implements Workload {
    private final LedgerConnection connection;
    private final Quorums quorums;
    private final int payloadBytes;
    private final List<LedgerWriter> writers = new ArrayList<>();
    private final List<LedgerLane> lanes = new ArrayList<>();

    private LedgerAppends(LedgerConnection connection, Quorums quorums, int payloadBytes) {
        this.connection = connection;
        this.quorums = quorums;
        this.payloadBytes = payloadBytes;
    }

    /** Makes so many ledgers; throws what that fails with. */
    public static LedgerAppends open(URI namespace, int ledgers, Quorums quorums, int payloadBytes) {
        LedgerAppends appends = new LedgerAppends(LedgerConnection.open(namespace), quorums, payloadBytes);
        try {
            for (int i = 0; i < ledgers; i++) {
                appends.add();
            }
            return appends;
        } catch (RuntimeException failure) {
            appends.close();
            throw failure;
        }
    }

    private void add() {
        LedgerWriter writer = connection
                .client()
                .create(CreateOptions.DEFAULT.withQuorums(quorums))
                .join();
        writers.add(writer);
        ByteBuf payload = PooledByteBufAllocator.DEFAULT.directBuffer(payloadBytes);
        lanes.add(new LedgerLane(writer, payload.writeBytes(payloadOf(payloadBytes))));
    }

    /** Bytes that no file system compresses away to nothing. */
    static byte[] payloadOf(int bytes) {
        byte[] payload = new byte[bytes];
        long state = 0x9e3779b97f4a7c15L;
        for (int i = 0; i < bytes; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            payload[i] = (byte) state;
        }
        return payload;
    }

    @Override
    public String what() {
        return "append";
    }

    @Override
    public int payloadBytes() {
        return payloadBytes;
    }

    @Override
    public String quorums() {
        return quorums.toString();
    }

    @Override
    public int copies() {
        return quorums.writeQuorum();
    }

    @Override
    public List<LedgerLane> lanes() {
        return lanes;
    }

    @Override
    public void close() {
        // A ledger whose writer failed cannot be closed by it, and need not be: it goes.
        writers.forEach(writer -> writer.close().exceptionally(failed -> -1L).join());
        lanes.forEach(LedgerLane::close);
        writers.forEach(writer -> connection
                .client()
                .delete(writer.ledgerId())
                .exceptionally(left -> null)
                .join());
        connection.close();
    }
}
