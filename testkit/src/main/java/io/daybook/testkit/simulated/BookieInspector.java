// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.protocol.EntryDigest;
import io.daybook.protocol.Limits;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.testkit.check.Value;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads what one bookie holds of some ledgers, entry by entry, as a client without any of the ledger layer.
 *
 * <p><i>States:</i> connecting → greeting → asking, ledger after ledger → done; a lost link ends it with a failure. <i>Threading:</i> a loop of its own.
 */
public final class BookieInspector implements LinkHandler {
    private static final long CONNECT_NANOS = 5_000_000_000L;
    private static final int HELLO_BYTES = 256;

    private final EventLoop loop;
    private final Wanted wanted;
    private final TreeMap<Long, Long> left;
    private final Found found = new Found(new TreeMap<>(), new TreeSet<>());
    private final CompletableFuture<Found> result = new CompletableFuture<>();
    private long next;

    /**
     * What is read, on one bookie of a cluster.
     *
     * @param lastEntryIds of each ledger the entries 0 to this one
     * @param digests how the entries of a ledger are checked
     */
    public record Wanted(
            SimulatedCluster cluster,
            int bookie,
            SortedMap<Long, Long> lastEntryIds,
            LongFunction<EntryDigest> digests) {}

    /**
     * What a bookie holds.
     *
     * @param entries the sound entries, by ledger and entry id
     * @param fenced the ledgers, of those asked for, that it says are fenced
     */
    public record Found(SortedMap<Long, SortedMap<Long, Value>> entries, Set<Long> fenced) {}

    private BookieInspector(EventLoop loop, Wanted wanted) {
        this.loop = loop;
        this.wanted = wanted;
        this.left = new TreeMap<>(wanted.lastEntryIds);
    }

    /** Reads; fails when the bookie does not answer. */
    public static CompletableFuture<Found> inspect(SimulatedHost host, Wanted wanted) {
        EventLoop loop = host.newLoop("inspector", LoopKind.NETWORK);
        BookieInspector inspector = new BookieInspector(loop, wanted);
        String machine = SimulatedCluster.machineOf(wanted.bookie());
        Endpoint endpoint = new Endpoint(machine, BookieKnobs.PORT);
        loop.execute(() -> host.network().connect(loop, endpoint, CONNECT_NANOS, inspector));
        return inspector.result;
    }

    @Override
    public void opened(Link opened) {
        opened.limitFrameBytes(Limits.FRAME_BYTES_MAX);
        ByteBuf hello = opened.allocate(HELLO_BYTES);
        new Hello(
                        Hello.PROTOCOL_VERSION,
                        Hello.PROTOCOL_VERSION,
                        0,
                        SimulatedCluster.CLUSTER,
                        wanted.cluster().idOf(wanted.bookie()),
                        LinkKind.OTHER,
                        "inspector")
                .write(hello);
        opened.send(hello);
    }

    @Override
    public void frame(Link from, ByteBuf frame) {
        try {
            switch (MessageType.of(frame)) {
                case HELLO_ANSWER -> HelloAnswer.read(frame);
                case READ_ANSWER -> take(frame);
                default -> throw new IllegalStateException("a bookie sent " + MessageType.of(frame));
            }
            ask(from);
        } finally {
            frame.release();
        }
    }

    private void take(ByteBuf frame) {
        ReadAnswer answer = ReadAnswer.read(frame);
        SortedMap<Long, Value> entries = found.entries().computeIfAbsent(answer.ledgerId(), none -> new TreeMap<>());
        if (answer.isFenced()) {
            found.fenced().add(answer.ledgerId());
        }
        EntryDigest digest = wanted.digests.apply(answer.ledgerId());
        int at = frame.readerIndex() + ReadAnswer.ENTRIES_INDEX;
        for (int i = 0; i < answer.count(); i++) {
            int bytes = frame.getIntLE(at);
            if (digest.verify(frame, at + Integer.BYTES, bytes)) {
                int payload = at + Integer.BYTES + digest.payloadIndex();
                entries.put(answer.firstEntryId() + i, Value.of(frame.slice(payload, bytes - digest.payloadIndex())));
            }
            at += Integer.BYTES + bytes;
        }
        next = answer.firstEntryId() + Math.max(1, answer.count());
    }

    private void ask(Link open) {
        Map.@Nullable Entry<Long, Long> ledger = left.firstEntry();
        while (ledger != null && next > ledger.getValue()) {
            left.pollFirstEntry();
            next = 0;
            ledger = left.firstEntry();
        }
        if (ledger == null) {
            open.close("all is read");
            return;
        }
        ByteBuf request = open.allocate(ReadRequest.FRAME_BYTES);
        long count = ledger.getValue() - next + 1;
        new ReadRequest(
                        next,
                        ledger.getKey(),
                        next,
                        (int) Math.min(count, Limits.READ_COUNT_MAX),
                        Limits.READ_BYTES_MAX,
                        ReadRequest.FLAG_UNCONFIRMED,
                        0,
                        0)
                .write(request);
        open.send(request);
    }

    @Override
    public void closed(String reason) {
        if (left.isEmpty()) {
            result.complete(found);
        } else {
            result.completeExceptionally(new IllegalStateException(
                    SimulatedCluster.machineOf(wanted.bookie()) + " could not be inspected: " + reason));
        }
        loop.close();
    }
}
