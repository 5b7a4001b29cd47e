// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bookie in memory that speaks the real protocol and does what a script says: it holds back, loses or refuses requests of a kind, and tells everything it
 * gets. Left alone it behaves as a bookie must.
 */
final class ScriptedBookie {
    private final BookieId id;
    private final Consumer<String> told;
    private final Map<Long, byte[]> entries = new TreeMap<>();
    private final Map<String, StatusCode> refusals = new TreeMap<>();
    private final List<String> holds = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable EventLoop loop;
    private boolean isFenced;
    private long lastAddConfirmed = -1;
    private long damaged = -1;

    ScriptedBookie(BookieId id, Consumer<String> told) {
        this.id = id;
        this.told = told;
    }

    /** Listens on the host's machine. */
    void start(Host host, Endpoint endpoint) {
        loop = host.newLoop("scripted", Host.LoopKind.NETWORK);
        host.network().listen(loop, endpoint, remote -> new Session());
    }

    /** Holds back requests such as {@code ADD} or {@code READ 5}. */
    void hold(String request) {
        holds.add(request);
    }

    /** Answers what was held back, in order, and holds back nothing more. */
    void release() {
        holds.clear();
        List<Runnable> released = List.copyOf(held);
        held.clear();
        if (loop != null) {
            released.forEach(loop::execute);
        }
    }

    /** Loses what was held back. */
    void drop() {
        held.clear();
        holds.clear();
    }

    /** Answers requests of a kind with this status. */
    void refuse(String kind, StatusCode status) {
        refusals.put(kind, status);
    }

    /** Refuses nothing any more. */
    void accept() {
        refusals.clear();
    }

    /** Answers the entry with other bytes than it was given. */
    void damage(long entryId) {
        damaged = entryId;
    }

    /** Which entries it holds. */
    String contents() {
        return entries.keySet() + (isFenced ? " fenced" : "");
    }

    private void handle(Link link, ByteBuf frame) {
        MessageType type = MessageType.of(frame);
        switch (type) {
            case HELLO ->
                answer(
                        link,
                        512,
                        out -> new HelloAnswer(StatusCode.OK, 1, 0, id, Limits.ENTRY_BYTES_MAX, "").write(out));
            case ADD -> {
                AddRequest.check(frame);
                byte[] add = ByteBufUtil.getBytes(frame);
                received("ADD " + AddRequest.entryId(frame), flagsOfAdd(frame), () -> add(link, add));
            }
            case READ -> {
                ReadRequest read = ReadRequest.read(frame);
                if (read.firstEntryId() > Long.MAX_VALUE / 2) {
                    answerRead(link, read, StatusCode.NO_ENTRY, new byte[0]);
                } else {
                    String flags = read.has(ReadRequest.FLAG_FENCE) ? " fencing" : "";
                    received("READ " + read.firstEntryId(), flags, () -> read(link, read));
                }
            }
            case FENCE -> {
                FenceRequest fence = FenceRequest.read(frame);
                received("FENCE", "", () -> fence(link, fence));
            }
            case PUBLISH -> {
                PublishRequest publish = PublishRequest.read(frame);
                received("PUBLISH " + publish.lastAddConfirmed(), "", () -> publish(link, publish));
            }
            default -> throw new IllegalArgumentException("a client does not send " + type);
        }
    }

    private static String flagsOfAdd(ByteBuf frame) {
        String recovery = (AddRequest.flags(frame) & AddRequest.FLAG_RECOVERY) != 0 ? " recovery" : "";
        long confirmed = EntryLayout.lastAddConfirmed(frame, frame.readerIndex() + AddRequest.ENTRY_INDEX);
        return recovery + " confirmed=" + confirmed;
    }

    private void received(String request, String flags, Runnable action) {
        boolean isHeld = holds.stream().anyMatch(hold -> request.equals(hold) || request.startsWith(hold + " "));
        if (isHeld) {
            told.accept(request + flags + ": held");
            held.add(() -> {
                told.accept(request + flags + " (held before)");
                action.run();
            });
        } else {
            told.accept(request + flags);
            action.run();
        }
    }

    private void add(Link link, byte[] frameBytes) {
        ByteBuf frame = Unpooled.wrappedBuffer(frameBytes);
        int flags = AddRequest.flags(frame);
        long entryId = AddRequest.entryId(frame);
        StatusCode status = refusals.getOrDefault("ADD", StatusCode.OK);
        if (isFenced && (flags & AddRequest.FLAG_RECOVERY) == 0) {
            status = StatusCode.FENCED;
        }
        if (status == StatusCode.OK) {
            int start = AddRequest.ENTRY_INDEX;
            entries.put(entryId, ByteBufUtil.getBytes(frame, start, frame.readableBytes() - start));
            lastAddConfirmed = Math.max(lastAddConfirmed, EntryLayout.lastAddConfirmed(frame, start));
        }
        tell(status);
        AddAck ack = new AddAck(AddRequest.ledgerId(frame), entryId, 1, AddRequest.handle(frame), flags, status);
        answer(link, AddAck.FRAME_BYTES, ack::write);
    }

    private void read(Link link, ReadRequest read) {
        isFenced |= read.has(ReadRequest.FLAG_FENCE);
        byte[] entry = entries.get(read.firstEntryId());
        StatusCode status = entry == null ? StatusCode.NO_ENTRY : StatusCode.OK;
        status = refusals.getOrDefault("READ", status);
        tell(status);
        answerRead(link, read, status, status == StatusCode.OK && entry != null ? entry : new byte[0]);
    }

    private void answerRead(Link link, ReadRequest read, StatusCode status, byte[] entry) {
        int count = entry.length == 0 ? 0 : 1;
        int flags = isFenced ? ReadAnswer.FLAG_FENCED : 0;
        answer(link, ReadAnswer.ENTRIES_INDEX + 4 + entry.length, out -> {
            new ReadAnswer(
                            read.requestId(),
                            read.ledgerId(),
                            read.firstEntryId(),
                            lastAddConfirmed,
                            count,
                            status,
                            flags)
                    .write(out);
            if (count > 0) {
                out.writeIntLE(entry.length).writeBytes(entry);
                if (read.firstEntryId() == damaged) {
                    out.setByte(out.writerIndex() - 1, ~out.getByte(out.writerIndex() - 1));
                }
            }
        });
    }

    private void fence(Link link, FenceRequest fence) {
        StatusCode status = refusals.getOrDefault("FENCE", StatusCode.OK);
        isFenced |= status == StatusCode.OK;
        tell(status);
        long last = entries.keySet().stream().reduce(-1L, Math::max);
        FenceAnswer answer = new FenceAnswer(fence.requestId(), fence.ledgerId(), lastAddConfirmed, last, status);
        answer(link, FenceAnswer.FRAME_BYTES, answer::write);
    }

    private void publish(Link link, PublishRequest publish) {
        StatusCode status = isFenced ? StatusCode.FENCED : StatusCode.OK;
        if (!isFenced) {
            lastAddConfirmed = Math.max(lastAddConfirmed, publish.lastAddConfirmed());
        }
        tell(status);
        answer(link, PublishAck.FRAME_BYTES, new PublishAck(publish.requestId(), publish.ledgerId(), status)::write);
    }

    private void tell(StatusCode status) {
        if (status != StatusCode.OK) {
            told.accept("  answers " + status);
        }
    }

    private static void answer(Link link, int bytes, Consumer<ByteBuf> writer) {
        if (link.isOpen()) {
            ByteBuf out = link.allocate(bytes);
            writer.accept(out);
            link.send(out);
        }
    }

    private final class Session implements LinkHandler {
        @Override
        public void opened(Link link) {
            link.limitFrameBytes(Limits.FRAME_BYTES_MAX);
        }

        @Override
        public void frame(Link link, ByteBuf frame) {
            try {
                handle(link, frame);
            } finally {
                frame.release();
            }
        }

        @Override
        public void closed(String reason) {}
    }
}
