// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.protocol.wire.description.DescribeRequest;
import io.daybook.protocol.wire.description.DescriptionAnswer;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client of one link that sends what it is told and keeps all that comes back, in order. */
final class TestClient implements LinkHandler {
    private final EventLoop loop;
    private final BookieWait wait;
    private volatile @Nullable Link link;
    private long nextRequestId = 1;

    final List<HelloAnswer> hellos = new CopyOnWriteArrayList<>();
    final List<AddAck> acks = new CopyOnWriteArrayList<>();
    final List<FenceAnswer> fences = new CopyOnWriteArrayList<>();
    final List<PublishAck> publishes = new CopyOnWriteArrayList<>();
    final List<Answered> reads = new CopyOnWriteArrayList<>();
    final List<DescriptionAnswer> descriptions = new CopyOnWriteArrayList<>();
    final List<ErrorMessage> errors = new CopyOnWriteArrayList<>();
    final List<String> closings = new CopyOnWriteArrayList<>();

    /** A read answer with its entries as they came. */
    record Answered(ReadAnswer header, List<byte[]> entries) {
        List<String> payloads() {
            List<String> payloads = new ArrayList<>();
            for (byte[] entry : entries) {
                payloads.add(new String(
                        entry,
                        EntryLayout.HEADER_BYTES,
                        entry.length - EntryLayout.HEADER_BYTES,
                        StandardCharsets.UTF_8));
            }
            return payloads;
        }
    }

    /** Lets time pass until a condition holds; fails when it does not. */
    @FunctionalInterface
    interface BookieWait {
        void until(java.util.function.BooleanSupplier condition);
    }

    private TestClient(EventLoop loop, BookieWait wait) {
        this.loop = loop;
        this.wait = wait;
    }

    static TestClient connect(Host host, Endpoint endpoint, BookieWait wait) {
        TestClient client = new TestClient(host.newLoop("test-client", Host.LoopKind.NETWORK), wait);
        client.loop.execute(() -> host.network().connect(client.loop, endpoint, TimeUnit.SECONDS.toNanos(5), client));
        wait.until(() -> client.link != null || !client.closings.isEmpty());
        return client;
    }

    TestClient hello(ClusterId cluster, BookieId bookie, LinkKind kind) {
        int before = hellos.size();
        send(256, out -> new Hello(1, 1, 0, cluster, bookie, kind, "test").write(out));
        wait.until(() -> hellos.size() > before);
        return this;
    }

    boolean isClosed() {
        return !closings.isEmpty();
    }

    void close() {
        run(open -> open.close("test ends"));
        wait.until(this::isClosed);
        loop.close();
    }

    // ---- requests ----

    void add(long ledgerId, long entryId, String payload) {
        addAt(ledgerId, entryId, entryId - 1, payload.getBytes(StandardCharsets.UTF_8), 0);
    }

    void addRecovered(long ledgerId, long entryId, String payload) {
        addAt(ledgerId, entryId, -1, payload.getBytes(StandardCharsets.UTF_8), AddRequest.FLAG_RECOVERY);
    }

    void addDeferred(long ledgerId, long entryId, String payload) {
        addAt(ledgerId, entryId, -1, payload.getBytes(StandardCharsets.UTF_8), AddRequest.FLAG_DEFERRED);
    }

    void force(long ledgerId) {
        send(AddRequest.Force.FRAME_BYTES, out -> new AddRequest.Force(ledgerId).write(out));
    }

    void addAt(long ledgerId, long entryId, long lastAddConfirmed, byte[] payload, int flags) {
        int bytes = AddRequest.ENTRY_INDEX + EntryLayout.HEADER_BYTES + payload.length;
        send(bytes, out -> {
            AddRequest.write(out, ledgerId, entryId, AddRequest.handleAndFlags(7, flags), 0);
            EntryLayout.writeHeader(out, ledgerId, entryId, lastAddConfirmed, payload.length);
            out.writeBytes(payload);
        });
    }

    /** Adds and waits for the status. */
    StatusCode addAndWait(long ledgerId, long entryId, String payload) {
        int before = acks.size();
        add(ledgerId, entryId, payload);
        wait.until(() -> acks.size() > before);
        return acks.get(before).status();
    }

    StatusCode addRecoveredAndWait(long ledgerId, long entryId, String payload) {
        int before = acks.size();
        addRecovered(ledgerId, entryId, payload);
        wait.until(() -> acks.size() > before);
        return acks.get(before).status();
    }

    /** How many adds were acknowledged with OK. */
    int acknowledged() {
        return answeredWith(StatusCode.OK);
    }

    /** How many adds were answered with a status. */
    int answeredWith(StatusCode status) {
        int count = 0;
        for (AddAck ack : acks) {
            count += ack.status() == status ? ack.count() : 0;
        }
        return count;
    }

    void fence(long ledgerId) {
        long requestId = nextRequestId++;
        send(FenceRequest.FRAME_BYTES, out -> new FenceRequest(requestId, ledgerId, 0, 0).write(out));
    }

    FenceAnswer fenceAndWait(long ledgerId) {
        int before = fences.size();
        fence(ledgerId);
        wait.until(() -> fences.size() > before);
        return fences.get(before);
    }

    void publish(long ledgerId, long lastAddConfirmed) {
        long requestId = nextRequestId++;
        send(
                PublishRequest.FRAME_BYTES,
                out -> new PublishRequest(requestId, ledgerId, lastAddConfirmed, 0).write(out));
    }

    StatusCode publishAndWait(long ledgerId, long lastAddConfirmed) {
        int before = publishes.size();
        publish(ledgerId, lastAddConfirmed);
        wait.until(() -> publishes.size() > before);
        return publishes.get(before).status();
    }

    void read(long ledgerId, long firstEntryId, int count, int flags, int waitMillis) {
        readBytes(ledgerId, firstEntryId, new Bounds(count, Limits.READ_BYTES_MAX, waitMillis), flags);
    }

    record Bounds(int count, int bytes, int waitMillis) {}

    void readBytes(long ledgerId, long firstEntryId, Bounds bounds, int flags) {
        long requestId = nextRequestId++;
        send(
                ReadRequest.FRAME_BYTES,
                out -> new ReadRequest(
                                requestId,
                                ledgerId,
                                firstEntryId,
                                bounds.count(),
                                bounds.bytes(),
                                flags,
                                bounds.waitMillis(),
                                0)
                        .write(out));
    }

    Answered readAndWait(long ledgerId, long firstEntryId, int count, int flags) {
        int before = reads.size();
        read(ledgerId, firstEntryId, count, flags, 0);
        wait.until(() -> reads.size() > before);
        return reads.get(before);
    }

    /** One entry, confirmed or not. */
    Answered readOne(long ledgerId, long entryId) {
        return readAndWait(ledgerId, entryId, 1, ReadRequest.FLAG_UNCONFIRMED);
    }

    BookieDescription describe() {
        int before = descriptions.size();
        long requestId = nextRequestId++;
        send(DescribeRequest.FRAME_BYTES, out -> new DescribeRequest(requestId).write(out));
        wait.until(() -> descriptions.size() > before);
        return descriptions.get(before).description();
    }

    void sendRaw(byte[] frame) {
        send(frame.length, out -> out.writeBytes(frame));
    }

    void setReading(boolean reading) {
        run(open -> open.setReading(reading));
    }

    private void send(int capacityBytes, Consumer<ByteBuf> writer) {
        run(open -> {
            ByteBuf out = open.allocate(capacityBytes);
            writer.accept(out);
            open.send(out);
        });
    }

    private void run(Consumer<Link> task) {
        Link open = link;
        if (open != null) {
            loop.execute(() -> task.accept(open));
        }
    }

    // ---- answers ----

    @Override
    public void opened(Link opened) {
        opened.limitFrameBytes(Limits.FRAME_BYTES_MAX);
        link = opened;
    }

    @Override
    public void frame(Link from, ByteBuf frame) {
        try {
            switch (MessageType.of(frame)) {
                case HELLO_ANSWER -> hellos.add(HelloAnswer.read(frame));
                case ADD_ACK -> acks.add(AddAck.read(frame));
                case FENCE_ANSWER -> fences.add(FenceAnswer.read(frame));
                case PUBLISH_ACK -> publishes.add(PublishAck.read(frame));
                case READ_ANSWER -> reads.add(answered(frame));
                case DESCRIPTION -> descriptions.add(DescriptionAnswer.read(frame));
                case ERROR -> errors.add(ErrorMessage.read(frame));
                default -> throw new AssertionError("a bookie sends no such frame");
            }
        } finally {
            frame.release();
        }
    }

    private static Answered answered(ByteBuf frame) {
        ReadAnswer header = ReadAnswer.read(frame);
        List<byte[]> entries = new ArrayList<>();
        int at = frame.readerIndex() + ReadAnswer.ENTRIES_INDEX;
        for (int i = 0; i < header.count(); i++) {
            byte[] entry = new byte[frame.getIntLE(at)];
            frame.getBytes(at + 4, entry);
            entries.add(entry);
            at += 4 + entry.length;
        }
        return new Answered(header, entries);
    }

    @Override
    public void closed(String reason) {
        closings.add(reason);
    }
}
