// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.journal.Durable;
import io.daybook.bookie.journal.Journal;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Takes adds, fences and published last add confirmed.
 *
 * <p><i>States:</i> flowing; blocked (the journal has no room: what arrives is queued in order, append links are not read).
 *
 * <p><i>Invariants:</i> D11: fence check, last add confirmed and staging are one step; B3: once fenced, no normal add; B4: one content per entry.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Appends {
    private static final int COLD_COMPARE_BYTES = 4 * 1024;

    private final LedgerTable table;
    private final Journal journal;
    private final SlabCache cache;
    private final ColdReads coldReads;
    private final int entryBytesMax;
    private final Deque<PendingAppend> blocked = new ArrayDeque<>();
    private AppendGate gate = new AppendGate() {
        @Override
        public void stopAppends() {}

        @Override
        public void resumeAppends() {}
    };
    private Consumer<Ledger> moved = ledger -> {};

    /** Over one journal. */
    public Appends(LedgerTable table, Journal journal, SlabCache cache, ColdReads coldReads, int entryBytesMax) {
        this.table = table;
        this.journal = journal;
        this.cache = cache;
        this.coldReads = coldReads;
        this.entryBytesMax = entryBytesMax;
    }

    /** Names what stops and resumes append links. */
    public void gate(AppendGate appendGate) {
        gate = appendGate;
    }

    /** Names who is told when a ledger's last add confirmed moved or it was fenced, durably. */
    void onMoved(Consumer<Ledger> listener) {
        moved = listener;
    }

    /** Bytes of the largest entry that is taken. */
    public int entryBytesMax() {
        return entryBytesMax;
    }

    // ---- adds ----

    /** Takes one add, whose frame was checked; consumes it. */
    public void add(ByteBuf frame, Link link) {
        if (!blocked.isEmpty() || !tryAdd(frame, link)) {
            block(new BlockedAdd(frame, link));
        }
    }

    private final class BlockedAdd implements PendingAppend {
        private final ByteBuf frame;
        private final Link link;

        private BlockedAdd(ByteBuf frame, Link link) {
            this.frame = frame;
            this.link = link;
        }

        @Override
        public boolean tryNow() {
            return tryAdd(frame, link);
        }

        @Override
        public void drop() {
            frame.release();
        }
    }

    /** Whether the frame was dealt with, and released or handed on. */
    private boolean tryAdd(ByteBuf frame, Link link) {
        int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
        int length = frame.writerIndex() - entry;
        long entryId = AddRequest.entryId(frame);
        long carried = EntryLayout.lastAddConfirmed(frame, entry);
        if (length > entryBytesMax) {
            return refuse(frame, link, StatusCode.TOO_LARGE);
        }
        if (carried >= entryId || carried < Limits.NO_ENTRY_ID || entryId == Long.MAX_VALUE) {
            return refuse(frame, link, StatusCode.BAD_REQUEST);
        }
        long ledgerId = AddRequest.ledgerId(frame);
        Ledger ledger = table.obtain(ledgerId);
        boolean recovery = (AddRequest.flags(frame) & AddRequest.FLAG_RECOVERY) != 0;
        if (ledger.isFenced() && !recovery) {
            return refuse(frame, link, StatusCode.FENCED);
        }
        if (entryId <= ledger.lastEntryId()) {
            if (cache.find(ledgerId, entryId)) {
                return compareWithCached(frame, link);
            }
            if (ledger.extents.find(entryId) >= 0) {
                compareWithFlushed(ledger, frame, link);
                return true;
            }
        }
        if (!journal.stageEntry(frame, entry, ledgerId, entryId)) {
            return false;
        }
        ledger.entryStaged(entryId, carried);
        acknowledgeWhenDurable(ledger, frame, link);
        frame.release();
        return true;
    }

    private static boolean refuse(ByteBuf frame, Link link, StatusCode status) {
        acknowledge(frame, link, status);
        frame.release();
        return true;
    }

    private static void acknowledge(ByteBuf frame, Link link, StatusCode status) {
        Answers.send(link, ackOf(frame, status));
    }

    private static AddAck ackOf(ByteBuf frame, StatusCode status) {
        return new AddAck(
                AddRequest.ledgerId(frame),
                AddRequest.entryId(frame),
                1,
                AddRequest.handle(frame),
                AddRequest.flags(frame),
                status);
    }

    private void acknowledgeWhenDurable(Ledger ledger, ByteBuf frame, Link link) {
        long entryId = AddRequest.entryId(frame);
        int handle = AddRequest.handle(frame);
        int flags = AddRequest.flags(frame);
        long carried = EntryLayout.lastAddConfirmed(frame, frame.readerIndex() + AddRequest.ENTRY_INDEX);
        long commit = journal.commitNumber();
        if (!ledger.openRun.tryJoin(link, AddRequest.handleAndFlags(handle, flags), entryId, carried, commit)) {
            AckRun run = new AckRun(this, ledger, new AckRun.StagedAdd(link, handle, flags, entryId, carried), commit);
            ledger.openRun = run;
            journal.whenDurable(run);
        }
    }

    /** The entry is in a slab: equal bytes are acknowledged once they are durable (B4). */
    private boolean compareWithCached(ByteBuf frame, Link link) {
        int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
        ByteBuffer held = cache.slab()
                .bytes()
                .duplicate()
                .limit(cache.offset() + cache.length())
                .position(cache.offset());
        boolean equal = held.equals(frame.nioBuffer(entry, frame.writerIndex() - entry));
        if (!equal) {
            return refuse(frame, link, StatusCode.CONFLICT);
        }
        AddAck ack = ackOf(frame, StatusCode.OK);
        frame.release();
        journal.whenDurable(() -> Answers.send(link, ack));
        return true;
    }

    private void compareWithFlushed(Ledger ledger, ByteBuf frame, Link link) {
        ByteBuf held = link.allocate(COLD_COMPARE_BYTES);
        ColdRead read = new ColdRead(ledger.ledgerId, held, 0);
        read.plan(ledger.extents, AddRequest.entryId(frame), 1);
        coldReads.begin(read, done -> {
            int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
            StatusCode status = done.status();
            if (status == StatusCode.OK) {
                boolean equal = held.skipBytes(4).equals(frame.slice(entry, frame.writerIndex() - entry));
                status = equal ? StatusCode.OK : StatusCode.CONFLICT;
            }
            acknowledge(frame, link, status);
            held.release();
            frame.release();
        });
    }

    /** A last add confirmed became durable. */
    void confirmed(Ledger ledger, long lastAddConfirmed) {
        // Somebody may wait for an entry without regard to what is confirmed.
        if (ledger.confirmedDurably(lastAddConfirmed) || !ledger.waiters.isEmpty()) {
            moved.accept(ledger);
        }
    }

    // ---- fences ----

    /** Fences a ledger and answers when that is durable. */
    public void fence(FenceRequest request, Link link) {
        fence(request.ledgerId(), () -> {
            Ledger ledger = table.obtain(request.ledgerId());
            Answers.send(
                    link,
                    new FenceAnswer(
                            request.requestId(),
                            ledger.ledgerId,
                            ledger.lastAddConfirmed(),
                            ledger.lastEntryId(),
                            StatusCode.OK));
        });
    }

    /** Fences a ledger; {@code then} follows when the fence and all that was staged before it are durable. */
    void fence(long ledgerId, Durable then) {
        attempt(() -> {
            Ledger ledger = table.obtain(ledgerId);
            if (!ledger.isFenced()) {
                if (!journal.stageFence(ledgerId)) {
                    return false;
                }
                ledger.fenceStaged();
                journal.whenDurable(() -> {
                    ledger.fencedDurably();
                    moved.accept(ledger);
                });
            }
            journal.whenDurable(then);
            return true;
        });
    }

    // ---- giving up ----

    /**
     * Gives up all that is held of a ledger, in memory and in files, but its facts.
     *
     * @param fenced whether no writer may come back: the ledger is gone from metadata (D11)
     * @param writesSeen {@link LedgerTable#writes} when it was decided; if more was taken since, nothing is given up
     * @param then follows when that is durable, or at once when nothing is given up
     */
    public void bury(long ledgerId, boolean fenced, long writesSeen, Durable then) {
        attempt(() -> {
            Ledger ledger = table.obtain(ledgerId);
            if (ledger.writes() != writesSeen) {
                then.durable();
                return true;
            }
            if (fenced && !ledger.isFenced()) {
                if (!journal.stageFence(ledgerId)) {
                    return false;
                }
                ledger.fenceStaged();
                journal.whenDurable(ledger::fencedDurably);
            }
            if (!journal.stageTombstone(ledgerId)) {
                return false;
            }
            table.bury(ledger, journal.incarnation());
            cache.hide(ledgerId);
            journal.whenDurable(then);
            return true;
        });
    }

    // ---- published last add confirmed ----

    /** Takes the last add confirmed of an idle writer and answers when it is durable. */
    public void publish(PublishRequest request, Link link) {
        attempt(() -> tryPublish(request, link));
    }

    private boolean tryPublish(PublishRequest request, Link link) {
        Ledger ledger = table.obtain(request.ledgerId());
        if (ledger.isFenced()) {
            Answers.send(link, new PublishAck(request.requestId(), request.ledgerId(), StatusCode.FENCED));
            return true;
        }
        long published = request.lastAddConfirmed();
        if (published > ledger.stagedLastAddConfirmed()) {
            if (!journal.stagePublished(ledger.ledgerId, published)) {
                return false;
            }
            ledger.publishedStaged(published);
        }
        journal.whenDurable(() -> {
            Answers.send(link, new PublishAck(request.requestId(), request.ledgerId(), StatusCode.OK));
            confirmed(ledger, published);
        });
        return true;
    }

    // ---- room ----

    /** Facts do not queue behind adds: there is room in reserve for them. */
    private void attempt(PendingAppend fact) {
        if (!fact.tryNow()) {
            block(fact);
        }
    }

    private void block(PendingAppend append) {
        if (blocked.isEmpty()) {
            gate.stopAppends();
        }
        blocked.addLast(append);
    }

    /** The journal has room again. */
    public void roomAgain() {
        if (blocked.isEmpty()) {
            return;
        }
        while (!blocked.isEmpty()) {
            if (!blocked.peekFirst().tryNow()) {
                return;
            }
            blocked.removeFirst();
        }
        gate.resumeAppends();
    }

    /** The bookie stops: what waits is dropped without an answer. */
    public void drop() {
        blocked.forEach(PendingAppend::drop);
        blocked.clear();
    }
}
