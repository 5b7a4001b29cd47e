// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryDigest;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client of one link, without any of the ledger layer, that keeps what it was told. The bytes of an entry follow from its ledger and its id.
 *
 * <p><i>Threading:</i> its loop; the thread that drives the world looks at it in between.
 */
final class LoneClient implements LinkHandler {
    private static final int HELLO_BYTES = 256;
    private static final int PAYLOAD_BYTES_MIN = 150;
    private static final int PAYLOAD_BYTES_SPREAD = 300;

    private final EventLoop loop;
    private final ClusterId cluster;
    private final BookieId bookie;
    private final EntryDigest digest = EntryDigest.crc32c();
    private final Told told;
    private final List<Found> reads = new ArrayList<>();
    private final List<StatusCode> refusals = new ArrayList<>();
    private @Nullable Link link;
    private boolean isGreeted;
    private long nextRequestId = 1;

    /** {@code told} is added to. */
    LoneClient(EventLoop loop, ClusterId cluster, BookieId bookie, Told told) {
        this.loop = loop;
        this.cluster = cluster;
        this.bookie = bookie;
        this.told = told;
    }

    /** An answer to a read: what its header says and how many entries in a row are as they must be. */
    record Found(ReadAnswer header, int sound) {}

    boolean isReady() {
        return isGreeted;
    }

    /** Answers to reads, in order. */
    List<Found> reads() {
        return reads;
    }

    /** Statuses of adds that were not taken. */
    List<StatusCode> refusals() {
        return refusals;
    }

    // ---- requests ----

    void add(long ledgerId, long entryId) {
        byte[] payload = payloadOf(ledgerId, entryId);
        send(AddRequest.ENTRY_INDEX + digest.payloadIndex() + payload.length, out -> {
            AddRequest.write(out, ledgerId, entryId, AddRequest.handleAndFlags(1, 0), 0);
            int start = out.writerIndex();
            EntryLayout.writeHeader(out, ledgerId, entryId, -1, payload.length);
            out.writerIndex(start + digest.payloadIndex());
            out.writeBytes(payload);
            digest.write(out, start);
        });
    }

    void fence(long ledgerId) {
        send(FenceRequest.FRAME_BYTES, out -> new FenceRequest(nextRequestId++, ledgerId, 0, 0).write(out));
    }

    void publish(long ledgerId, long lastAddConfirmed) {
        // The number of the request tells which confirmation is answered.
        send(
                PublishRequest.FRAME_BYTES,
                out -> new PublishRequest(lastAddConfirmed, ledgerId, lastAddConfirmed, 0).write(out));
    }

    void read(long ledgerId, long firstEntryId, int count) {
        send(
                ReadRequest.FRAME_BYTES,
                out -> new ReadRequest(
                                nextRequestId++,
                                ledgerId,
                                firstEntryId,
                                count,
                                Limits.READ_BYTES_MAX,
                                ReadRequest.FLAG_UNCONFIRMED,
                                0,
                                0)
                        .write(out));
    }

    private static byte[] payloadOf(long ledgerId, long entryId) {
        String text = "ledger " + ledgerId + " entry " + entryId + ' ';
        byte[] payload = new byte[PAYLOAD_BYTES_MIN + (int) ((ledgerId * 131 + entryId * 37) % PAYLOAD_BYTES_SPREAD)];
        Arrays.fill(payload, (byte) ('a' + entryId % 26));
        byte[] start = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(start, 0, payload, 0, start.length);
        return payload;
    }

    private void send(int capacityBytes, Consumer<ByteBuf> writer) {
        loop.execute(() -> {
            Link open = link;
            if (open != null) {
                ByteBuf out = open.allocate(capacityBytes);
                writer.accept(out);
                open.send(out);
            }
        });
    }

    // ---- answers ----

    @Override
    public void opened(Link opened) {
        opened.limitFrameBytes(Limits.FRAME_BYTES_MAX);
        link = opened;
        ByteBuf hello = opened.allocate(HELLO_BYTES);
        new Hello(Hello.PROTOCOL_VERSION, Hello.PROTOCOL_VERSION, 0, cluster, bookie, LinkKind.OTHER, "crash-points")
                .write(hello);
        opened.send(hello);
    }

    @Override
    public void frame(Link from, ByteBuf frame) {
        try {
            switch (MessageType.of(frame)) {
                case HELLO_ANSWER -> isGreeted = true;
                case ADD_ACK -> onAck(AddAck.read(frame));
                case FENCE_ANSWER -> {
                    FenceAnswer answer = FenceAnswer.read(frame);
                    if (answer.status() == StatusCode.OK) {
                        told.fenced().add(answer.ledgerId());
                    }
                }
                case PUBLISH_ACK -> {
                    PublishAck ack = PublishAck.read(frame);
                    if (ack.status() == StatusCode.OK) {
                        told.confirmed().merge(ack.ledgerId(), ack.requestId(), Math::max);
                    }
                }
                case READ_ANSWER -> onRead(frame);
                default -> throw new IllegalStateException("a bookie sent " + MessageType.of(frame));
            }
        } finally {
            frame.release();
        }
    }

    private void onAck(AddAck ack) {
        if (ack.status() == StatusCode.OK) {
            told.entries().merge(ack.ledgerId(), (int) ack.firstEntryId() + ack.count(), Math::max);
        } else {
            refusals.add(ack.status());
        }
    }

    private void onRead(ByteBuf frame) {
        ReadAnswer header = ReadAnswer.read(frame);
        int at = frame.readerIndex() + ReadAnswer.ENTRIES_INDEX;
        int sound = 0;
        for (int i = 0; i < header.count(); i++) {
            int bytes = frame.getIntLE(at);
            byte[] payload = new byte[Math.max(0, bytes - digest.payloadIndex())];
            boolean isSound = digest.verify(frame, at + Integer.BYTES, bytes);
            if (isSound) {
                frame.getBytes(at + Integer.BYTES + digest.payloadIndex(), payload);
            }
            boolean isRight = Arrays.equals(payload, payloadOf(header.ledgerId(), header.firstEntryId() + i));
            sound += isSound && isRight && sound == i ? 1 : 0;
            at += Integer.BYTES + bytes;
        }
        reads.add(new Found(header, sound));
    }

    @Override
    public void closed(String reason) {
        link = null;
    }
}
