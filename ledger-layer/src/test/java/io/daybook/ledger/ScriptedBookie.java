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
import io.daybook.protocol.wire.Hello;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    private final List<Accepted> accepted = new ArrayList<>();
    private final Map<String, StatusCode> refusals = new TreeMap<>();
    private final List<String> holds = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable EventLoop loop;
    private final Set<Long> damaged = new TreeSet<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean isFenced;
    private long lastAddConfirmed = -1;
    private int questions;

    ScriptedBookie(BookieId id, Consumer<String> told) {
        this.id = id;
        this.told = told;
    }

    BookieId id() {
        return id;
    }

    /** A tail read that waits. */
    private record Waiter(Link link, ReadRequest read) {}

    /** An entry that is in memory only, and what to answer when it is durable. */
    private record Accepted(Link link, ByteBuf entry, AddAck ack) {}

    /** Listens on the host's machine; what was in memory only is lost. */
    void start(Host host, Endpoint endpoint) {
        waiters.clear();
        accepted.clear();
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

    /** How many requests are held back. */
    int heldCount() {
        return held.size();
    }

    /** How often it was asked how far it knows the ledger confirmed. */
    int questions() {
        return questions;
    }

    /** Loses what was held back. */
    void drop() {
        held.clear();
        holds.clear();
    }

    /** Answers requests of a kind with this status: ADD, NORMAL-ADD (not the copies of recovery), READ, QUESTION (how far it knows the ledger confirmed), FENCE or PUBLISH. */
    void refuse(String kind, StatusCode status) {
        refusals.put(kind, status);
    }

    /** Refuses nothing any more. */
    void accept() {
        refusals.clear();
    }

    /** Answers the entry with other bytes than it was given. */
    void damage(long entryId) {
        damaged.add(entryId);
    }

    /** Is given a copy of every entry of another bookie, as repair does. */
    void copyFrom(ScriptedBookie other) {
        entries.putAll(other.entries);
        lastAddConfirmed = Math.max(lastAddConfirmed, other.lastAddConfirmed);
    }

    /** Is given an entry, as if it had been added before. */
    void put(long entryId, byte[] entry) {
        entries.put(entryId, entry);
        lastAddConfirmed = Math.max(lastAddConfirmed, EntryLayout.lastAddConfirmed(Unpooled.wrappedBuffer(entry), 0));
    }

    boolean has(long entryId) {
        return entries.containsKey(entryId);
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
                        out -> new HelloAnswer(StatusCode.OK, Hello.PROTOCOL_VERSION, 0, id, Limits.ENTRY_BYTES_MAX, "")
                                .write(out));
            case ADD -> {
                AddRequest.check(frame);
                byte[] add = ByteBufUtil.getBytes(frame);
                received("ADD " + AddRequest.entryId(frame), flagsOfAdd(frame), () -> add(link, add));
            }
            case READ -> {
                ReadRequest read = ReadRequest.read(frame);
                if (read.firstEntryId() > Long.MAX_VALUE / 2) {
                    questions++;
                    answerRead(link, read, refusals.getOrDefault("QUESTION", StatusCode.NO_ENTRY), List.of());
                } else {
                    received(
                            "READ " + idsOf(read.firstEntryId(), read.countMax()),
                            flagsOf(read),
                            () -> read(link, read));
                }
            }
            case FORCE -> {
                AddRequest.Force.read(frame);
                received("FORCE", "", this::sync);
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

    private static String idsOf(long firstEntryId, int count) {
        return count == 1 ? "" + firstEntryId : firstEntryId + "-" + (firstEntryId + count - 1);
    }

    private static String flagsOf(ReadRequest read) {
        return read.has(ReadRequest.FLAG_FENCE) ? " fencing" : read.has(ReadRequest.FLAG_WAIT) ? " waiting" : "";
    }

    private static String flagsOfAdd(ByteBuf frame) {
        String recovery = (AddRequest.flags(frame) & AddRequest.FLAG_RECOVERY) != 0 ? " recovery" : "";
        long confirmed = EntryLayout.lastAddConfirmed(frame, frame.readerIndex() + AddRequest.ENTRY_INDEX);
        String deferred = (AddRequest.flags(frame) & AddRequest.FLAG_DEFERRED) != 0 ? " deferred" : "";
        return recovery + deferred + " confirmed=" + confirmed;
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
        boolean isCopy = (flags & AddRequest.FLAG_RECOVERY) != 0;
        StatusCode status = refusals.getOrDefault(
                "ADD", isCopy ? StatusCode.OK : refusals.getOrDefault("NORMAL-ADD", StatusCode.OK));
        if (isFenced && !isCopy) {
            status = StatusCode.FENCED;
        }
        int start = AddRequest.ENTRY_INDEX;
        byte[] entry = ByteBufUtil.getBytes(frame, start, frame.readableBytes() - start);
        AddAck ack = new AddAck(AddRequest.ledgerId(frame), entryId, 1, AddRequest.handle(frame), flags, status);
        if (status == StatusCode.OK && (flags & AddRequest.FLAG_DEFERRED) != 0 && !has(entryId)) {
            accepted.add(new Accepted(link, Unpooled.wrappedBuffer(entry), ack));
            ack = new AddAck(ack.ledgerId(), entryId, 1, ack.handle(), flags, StatusCode.ACCEPTED);
        } else if (status == StatusCode.OK) {
            store(entryId, entry);
        }
        tell(status);
        answer(link, AddAck.FRAME_BYTES, ack::write);
    }

    private void store(long entryId, byte[] entry) {
        entries.put(entryId, entry);
        lastAddConfirmed = Math.max(lastAddConfirmed, EntryLayout.lastAddConfirmed(Unpooled.wrappedBuffer(entry), 0));
        wake();
    }

    /** Makes durable what is in memory only. */
    private void sync() {
        List<Accepted> synced = List.copyOf(accepted);
        accepted.clear();
        synced.forEach(each -> store(each.ack.firstEntryId(), ByteBufUtil.getBytes(each.entry)));
        synced.forEach(each -> answer(each.link, AddAck.FRAME_BYTES, each.ack::write));
    }

    private void read(Link link, ReadRequest read) {
        if (read.has(ReadRequest.FLAG_UNCONFIRMED)) {
            sync();
        }
        if (read.has(ReadRequest.FLAG_FENCE)) {
            fence();
        }
        StatusCode refusal = refusals.get("READ");
        if (refusal != null) {
            tell(refusal);
            answerRead(link, read, refusal, List.of());
            return;
        }
        List<byte[]> found = find(read);
        if (!found.isEmpty()) {
            if (found.size() < read.countMax()) {
                told.accept("  answers " + idsOf(read.firstEntryId(), found.size()));
            }
            answerRead(link, read, StatusCode.OK, found);
        } else if (read.has(ReadRequest.FLAG_WAIT)) {
            await(link, read);
        } else {
            tell(StatusCode.NO_ENTRY);
            answerRead(link, read, StatusCode.NO_ENTRY, found);
        }
    }

    /** The entries from the first one on that it has and may show, as far as they fit. */
    private List<byte[]> find(ReadRequest read) {
        long last = read.has(ReadRequest.FLAG_UNCONFIRMED) ? Long.MAX_VALUE : lastAddConfirmed;
        List<byte[]> found = new ArrayList<>();
        long bytes = 0;
        for (long id = read.firstEntryId(); id <= last && found.size() < read.countMax(); id++) {
            byte[] entry = entries.get(id);
            if (entry == null || (!found.isEmpty() && bytes + entry.length > read.bytesMax())) {
                break;
            }
            bytes += entry.length;
            found.add(entry);
        }
        return found;
    }

    private void await(Link link, ReadRequest read) {
        if (isFenced || loop == null) {
            answerRead(link, read, StatusCode.OK, List.of());
            return;
        }
        Waiter waiter = new Waiter(link, read);
        waiters.add(waiter);
        loop.schedule(read.waitMillis() * 1_000_000L, () -> {
            if (waiters.remove(waiter)) {
                answerRead(link, read, StatusCode.OK, List.of());
            }
        });
    }

    /** Answers the tail reads that need not wait any more. */
    private void wake() {
        for (Waiter waiter : List.copyOf(waiters)) {
            List<byte[]> found = find(waiter.read);
            if (isFenced || !found.isEmpty()) {
                waiters.remove(waiter);
                answerRead(waiter.link, waiter.read, StatusCode.OK, found);
            }
        }
    }

    private void answerRead(Link link, ReadRequest read, StatusCode status, List<byte[]> found) {
        int bytes = found.stream().mapToInt(entry -> 4 + entry.length).sum();
        int flags = isFenced ? ReadAnswer.FLAG_FENCED : 0;
        answer(link, ReadAnswer.ENTRIES_INDEX + bytes, out -> {
            new ReadAnswer(
                            read.requestId(),
                            read.ledgerId(),
                            read.firstEntryId(),
                            lastAddConfirmed,
                            found.size(),
                            status,
                            flags)
                    .write(out);
            for (int i = 0; i < found.size(); i++) {
                out.writeIntLE(found.get(i).length).writeBytes(found.get(i));
                if (damaged.contains(read.firstEntryId() + i)) {
                    out.setByte(out.writerIndex() - 1, ~out.getByte(out.writerIndex() - 1));
                }
            }
        });
    }

    private void fence() {
        sync();
        isFenced = true;
        wake();
    }

    private void fence(Link link, FenceRequest fence) {
        StatusCode status = refusals.getOrDefault("FENCE", StatusCode.OK);
        if (status == StatusCode.OK) {
            fence();
        }
        tell(status);
        long last = entries.keySet().stream().reduce(-1L, Math::max);
        FenceAnswer answer = new FenceAnswer(fence.requestId(), fence.ledgerId(), lastAddConfirmed, last, status);
        answer(link, FenceAnswer.FRAME_BYTES, answer::write);
    }

    private void publish(Link link, PublishRequest publish) {
        StatusCode status = refusals.getOrDefault("PUBLISH", isFenced ? StatusCode.FENCED : StatusCode.OK);
        if (status == StatusCode.OK) {
            lastAddConfirmed = Math.max(lastAddConfirmed, publish.lastAddConfirmed());
            wake();
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
