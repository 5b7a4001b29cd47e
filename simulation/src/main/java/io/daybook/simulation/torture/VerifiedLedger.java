// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.Quorums;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ledger whose entries follow from their ids, so that what was written need not be kept to be compared.
 *
 * <p><i>Threading:</i> the writer's listener may run on another thread than the rest.
 */
final class VerifiedLedger {
    /** A power of two is small beside it and a slab large. */
    private static final int PAYLOAD_BYTES_MAX = 6_000;

    private static final long UNKNOWN = -2;
    private static final int BURST = 8;
    private static final int CREATE_ATTEMPTS = 500;
    private static final long CREATE_PAUSE_MILLIS = 20;

    private final LedgerWriter writer;
    private final AtomicLong lastAcknowledged = new AtomicLong(-1);
    private final AtomicLong closedEnd = new AtomicLong(UNKNOWN);
    private CompletableFuture<Void> room;
    private volatile boolean isVerified;
    private long next;

    VerifiedLedger(LedgerWriter writer) {
        this.writer = writer;
        this.room = writer.ready();
    }

    /** Makes a ledger with one copy; waits until the client has heard of a bookie, at most ten seconds. */
    static VerifiedLedger create(LedgerClient client) {
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(new Quorums(1, 1, 1));
        for (int attempt = 0; ; attempt++) {
            try {
                return new VerifiedLedger(client.create(options).join());
            } catch (CompletionException failure) {
                if (attempt >= CREATE_ATTEMPTS || !(failure.getCause() instanceof LedgerException.NotEnoughBookies)) {
                    throw failure;
                }
                Pauses.millis(CREATE_PAUSE_MILLIS);
            }
        }
    }

    long ledgerId() {
        return writer.ledgerId();
    }

    LedgerWriter writer() {
        return writer;
    }

    /** Appends a few entries, unless the writer is full, or has not yet said that it is not, or has failed. */
    void appendSome() {
        if (writer.failure().isDone() || !room.isDone()) {
            return;
        }
        for (int i = 0; i < BURST; i++) {
            appendOne();
        }
        room = writer.ready();
    }

    /** Completes when {@link #appendSome} appends again, or the writer has failed. */
    CompletableFuture<Void> room() {
        return room;
    }

    private void appendOne() {
        appendNext(new LedgerWriter.AppendListener() {
            @Override
            public void appended(long acknowledged) {}

            @Override
            public void failed(LedgerException failure) {
                // The bookie was killed: what is not acknowledged may be lost.
            }
        });
    }

    /** Appends an entry; how that ends. */
    CompletableFuture<Long> appendNext() {
        CompletableFuture<Long> outcome = new CompletableFuture<>();
        appendNext(LedgerWriter.AppendListener.completing(outcome));
        return outcome;
    }

    /** Appends an entry. */
    void appendNext(LedgerWriter.AppendListener listener) {
        long entryId = next++;
        writer.append(payload(ledgerId(), entryId), new LedgerWriter.AppendListener() {
            @Override
            public void appended(long acknowledged) {
                lastAcknowledged.accumulateAndGet(acknowledged, Math::max);
                listener.appended(acknowledged);
            }

            @Override
            public void failed(LedgerException failure) {
                listener.failed(failure);
            }
        });
    }

    /** Bytes of the payload that is appended next. */
    int nextLength() {
        return length(seed(ledgerId(), next));
    }

    /** The last entry that was acknowledged, -1 for none. */
    long lastAcknowledged() {
        return lastAcknowledged.get();
    }

    /** Recovery said that the ledger ends here; returns where it said so before, which must be the same. */
    long closedAt(long end) {
        closedEnd.compareAndSet(UNKNOWN, end);
        return closedEnd.get();
    }

    /** All of it was read back once. */
    void verified() {
        isVerified = true;
    }

    /** Whether all of it was read back. */
    boolean isVerified() {
        return isVerified;
    }

    private static long seed(long ledgerId, long entryId) {
        return ledgerId * 0x9e37_79b9_7f4a_7c15L + entryId * 0xc2b2_ae3d_27d4_eb4fL;
    }

    private static int length(long seed) {
        return 16 + Math.floorMod(seed >>> 7, PAYLOAD_BYTES_MAX);
    }

    /** The bytes that an entry has. */
    static ByteBuf payload(long ledgerId, long entryId) {
        long state = seed(ledgerId, entryId);
        int length = length(state);
        ByteBuf bytes = Unpooled.buffer(length);
        bytes.writeLong(ledgerId).writeLong(entryId);
        while (bytes.writerIndex() < length) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            if (length - bytes.writerIndex() >= Long.BYTES) {
                bytes.writeLong(state);
            } else {
                bytes.writeByte((int) (state >>> 56));
            }
        }
        return bytes;
    }

    /** Whether an entry is what it must be. */
    static boolean isIntact(long ledgerId, long entryId, ByteBuf payload) {
        ByteBuf expected = payload(ledgerId, entryId);
        // In one piece: a buffer that is watched for leaks notes every eight bytes that are looked at.
        boolean equal = expected.nioBuffer().equals(payload.nioBuffer());
        expected.release();
        return equal;
    }
}
