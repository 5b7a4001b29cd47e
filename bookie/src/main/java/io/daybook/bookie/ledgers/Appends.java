// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.journal.Durable;
import io.daybook.bookie.journal.Journal;
import io.daybook.bookie.journal.Journals;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Link;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes adds, fences and published last add confirmed.
 *
 * <p><i>States:</i> flowing; blocked (a journal has no room: adds to its ledgers are queued in order, links that append are not read). Beside that, writable or
 * read-only: then new entries are refused, and copies made by recovery are taken while there is room.
 *
 * <p><i>Invariants:</i> D11: fence check, last add confirmed and staging are one step; B1: OK is told when the entry is durable; B3: once fenced, no normal
 * add; B4: one content per entry; B14: fences go before everything that is blocked. What waits is bounded in bytes, and in number where it has none (S-44).
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Appends {
    private static final Logger LOG = LoggerFactory.getLogger(Appends.class);

    /** Bytes of adds that wait for room or for a comparison; beyond it the answer is BUSY. */
    static final int WAITING_BYTES_MAX = 32 * 1024 * 1024;

    /** Fences and publishes that are not answered yet; beyond it the answer is BUSY. */
    static final int WAITING_FACTS_MAX = 64 * 1024;

    private static final int COLD_COMPARE_BYTES = 4 * 1024;

    private final LedgerTable table;
    private final Journals journals;
    private final SlabCache cache;
    private final ColdReads coldReads;
    private final int entryBytesMax;
    private final RoomQueue room;
    private final List<AckRun> accepting = new ArrayList<>();
    private final EventLoop loop;
    private final Conflicts conflicts;
    private final boolean checksFenceOnce;
    private final boolean tellsAcceptedAsDurable;
    private long waitingBytes;
    private int waitingFacts;
    private boolean dropped;
    private Consumer<Ledger> moved = ledger -> {};

    /** Over the journals of one bookie. */
    public Appends(EventLoop loop, LedgerSources sources, int entryBytesMax, Faults faults) {
        this.loop = loop;
        this.conflicts = new Conflicts(loop);
        this.table = sources.table();
        this.journals = sources.journals();
        this.room = new RoomQueue(journals.count());
        this.cache = sources.cache();
        this.coldReads = sources.coldReads();
        this.entryBytesMax = entryBytesMax;
        this.checksFenceOnce = faults.at(Defects.FENCE_ADD_RACE);
        this.tellsAcceptedAsDurable = faults.at(Defects.ACCEPTED_IS_DURABLE);
    }

    /** Names what stops and resumes append links. */
    public void gate(AppendGate appendGate) {
        room.gate(appendGate);
    }

    /** Names who is told when a ledger's last add confirmed moved or it was fenced, durably. */
    void onMoved(Consumer<Ledger> listener) {
        moved = listener;
    }

    /** Bytes of the largest entry that is taken. */
    public int entryBytesMax() {
        return entryBytesMax;
    }

    /** Whether new entries are refused; what is blocked is looked at again. */
    public void readOnly(boolean refusing) {
        room.readOnly(refusing);
    }

    /** The journal of that number has room again. */
    public void roomAgain(int journal) {
        room.roomAgain(journal);
    }

    // ---- adds ----

    /** Takes one add, whose frame was checked; consumes it. */
    public void add(ByteBuf frame, Link link) {
        tryNowOrBlock(frame, link, false, false);
    }

    /** What need not wait costs no object. */
    private void tryNowOrBlock(ByteBuf frame, Link link, boolean replacing, boolean waited) {
        if (dropped) {
            frame.release();
        } else if (room.isBlocked(AddRequest.ledgerId(frame)) || !tryAdd(frame, link, replacing, waited)) {
            if (waitingBytes + frame.readableBytes() > WAITING_BYTES_MAX) {
                refuse(frame, link, StatusCode.BUSY);
            } else {
                room.add(AddRequest.ledgerId(frame), new WaitingAdd(frame, link, replacing));
            }
        }
    }

    /** An add that waits for room and counts as such until it is dealt with. */
    private final class WaitingAdd implements RoomQueue.Waiting {
        private final ByteBuf frame;
        private final Link link;
        private final int bytes;
        private final boolean replacing;

        private WaitingAdd(ByteBuf frame, Link link, boolean replacing) {
            this.frame = frame;
            this.link = link;
            this.bytes = frame.readableBytes();
            this.replacing = replacing;
            waitingBytes += bytes;
        }

        @Override
        public boolean tryNow() {
            boolean done = tryAdd(frame, link, replacing, true);
            waitingBytes -= done ? bytes : 0;
            return done;
        }

        @Override
        public void drop() {
            waitingBytes -= bytes;
            frame.release();
        }
    }

    /**
     * Returns whether the frame was dealt with, and released or handed on.
     *
     * @param replacing whether the copy that was flushed cannot be read, so that this one takes its place
     * @param waited whether it had to wait for room, or for what is here
     */
    private boolean tryAdd(ByteBuf frame, Link link, boolean replacing, boolean waited) {
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
        // Of one that had to wait, whoever would have asked for the sync may have come before it.
        boolean defers = isDeferred(AddRequest.flags(frame)) && !waited;
        if (!recovery && ledger.isFenced() && !(waited && checksFenceOnce)) {
            return refuse(frame, link, StatusCode.FENCED);
        }
        if (entryId <= ledger.lastEntryId()) {
            // Whoever is told OK may rely on the copy from then on: it is not given up on an earlier decision (A2).
            ledger.entryOffered();
            if (cache.find(ledgerId, entryId)) {
                return compareWithCached(frame, link, defers);
            }
            if (!replacing && ledger.extents.mayHold(entryId)) {
                return compareWithFlushed(ledger, frame, link);
            }
        }
        if (room.isReadOnly() && !recovery) {
            return refuse(frame, link, StatusCode.READ_ONLY);
        }
        Journal journal = journals.of(ledgerId);
        boolean staged = defers
                ? journal.stageDeferred(frame, entry, ledgerId, entryId)
                : journal.stageEntry(frame, entry, ledgerId, entryId);
        if (!staged) {
            return room.isReadOnly() && refuse(frame, link, StatusCode.READ_ONLY);
        }
        ledger.entryStaged(entryId, carried);
        acknowledge(ledger, frame, link);
        frame.release();
        return true;
    }

    private static boolean isDeferred(int flags) {
        return (flags & AddRequest.FLAG_DEFERRED) != 0;
    }

    /** Answers and gives the frame back. */
    private boolean refuse(ByteBuf frame, Link link, StatusCode status) {
        AddAck answer = ackOf(frame, status);
        conflicts.look(answer, link);
        Answers.send(link, answer);
        table.dropIfUnused(AddRequest.ledgerId(frame));
        frame.release();
        return true;
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

    /** Acknowledges the entry when it is durable; with deferred sync it is told before, at the end of the turn, that it was taken. */
    private void acknowledge(Ledger ledger, ByteBuf frame, Link link) {
        long entryId = AddRequest.entryId(frame);
        int handle = AddRequest.handle(frame);
        int flags = AddRequest.flags(frame);
        long carried = EntryLayout.lastAddConfirmed(frame, frame.readerIndex() + AddRequest.ENTRY_INDEX);
        Journal journal = journals.of(ledger.ledgerId);
        long commit = journal.commitNumber();
        if (!ledger.openRun.tryJoin(link, AddRequest.handleAndFlags(handle, flags), entryId, carried, commit)) {
            AckRun run = new AckRun(this, ledger, new AckRun.StagedAdd(link, handle, flags, entryId, carried), commit);
            ledger.openRun = run;
            journal.whenCommitted(run);
        }
        if (isDeferred(flags) && ledger.openRun.tryQueue()) {
            if (accepting.isEmpty()) {
                loop.atEndOfTurn(this::tellAccepted);
            }
            accepting.add(ledger.openRun);
        }
    }

    private void tellAccepted() {
        StatusCode status = tellsAcceptedAsDurable ? StatusCode.OK : StatusCode.ACCEPTED;
        accepting.forEach(run -> run.accepted(status));
        accepting.clear();
    }

    /** The entry is in a slab: equal bytes are acknowledged once they are durable (B4). */
    private boolean compareWithCached(ByteBuf frame, Link link, boolean defers) {
        int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
        ByteBuffer held = cache.slab()
                .bytes()
                .duplicate()
                .limit(cache.offset() + cache.length())
                .position(cache.offset());
        if (!held.equals(frame.nioBuffer(entry, frame.writerIndex() - entry))) {
            return refuse(frame, link, StatusCode.CONFLICT);
        }
        AddAck ack = ackOf(frame, StatusCode.OK);
        if (defers && !cache.isDurable()) {
            Answers.send(link, ackOf(frame, StatusCode.ACCEPTED));
        }
        // With deferred sync too: else whoever repeats it again and again leaves ever more that waits for one commit.
        journals.of(ack.ledgerId()).whenDurable(() -> Answers.send(link, ack));
        frame.release();
        return true;
    }

    /**
     * The entry is in a file. What recovery or repair brings takes the place of a copy that cannot be read: it was checked against the digest of the
     * one content which the entry can have. A writer is told that the copy is bad, and replaces this bookie. One that was fenced while the file was read is
     * refused like any that comes after the fence.
     */
    private boolean compareWithFlushed(Ledger ledger, ByteBuf frame, Link link) {
        int bytes = frame.readableBytes();
        if (waitingBytes + bytes > WAITING_BYTES_MAX) {
            return refuse(frame, link, StatusCode.BUSY);
        }
        waitingBytes += bytes;
        long entryId = AddRequest.entryId(frame);
        table.whenIndexed(ledger, entryId, entryId + 1, isKnown -> {
            if (!dropped && isKnown && ledger.extents.holds(entryId)) {
                compareWithFile(ledger, frame, link);
            } else if (!dropped && (!isKnown || ledger.extents.isDoubtful(entryId))) {
                endComparison(ledger, frame, link, StatusCode.UNKNOWN_STATE);
            } else {
                // Its page was cold, and it is not here after all; or nothing is read any more.
                waitingBytes -= bytes;
                tryNowOrBlock(frame, link, false, true);
            }
        });
        return true;
    }

    private void compareWithFile(Ledger ledger, ByteBuf frame, Link link) {
        ByteBuf held = link.allocate(COLD_COMPARE_BYTES);
        ColdRead read = new ColdRead(ledger.ledgerId, held, 0);
        read.plan(ledger.extents, AddRequest.entryId(frame), 1);
        coldReads.begin(read, done -> {
            StatusCode status = done.status();
            if (status == StatusCode.OK) {
                int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
                boolean equal = held.skipBytes(4).equals(frame.slice(entry, frame.writerIndex() - entry));
                status = equal ? StatusCode.OK : StatusCode.CONFLICT;
            }
            held.release();
            endComparison(ledger, frame, link, status);
        });
    }

    /** {@code status} is OK or CONFLICT, or why the copy that is here cannot be read. */
    private void endComparison(Ledger ledger, ByteBuf frame, Link link, StatusCode status) {
        waitingBytes -= frame.readableBytes();
        long entryId = AddRequest.entryId(frame);
        boolean recovery = (AddRequest.flags(frame) & AddRequest.FLAG_RECOVERY) != 0;
        if (!recovery && ledger.isFenced()) {
            refuse(frame, link, StatusCode.FENCED);
        } else if (status == StatusCode.OK || status == StatusCode.CONFLICT || !recovery) {
            refuse(frame, link, status);
        } else {
            LOG.info("ledger={} entry={} state=REPLACED the copy was {}", ledger.ledgerId, entryId, status);
            tryNowOrBlock(frame, link, true, true);
        }
    }

    /** Makes durable what was added to a ledger with deferred sync. What waits for room asks for that itself, in its turn. */
    public void force(AddRequest.Force request) {
        if (table.get(request.ledgerId()) != null) {
            journals.of(request.ledgerId()).commitSoon();
        }
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
        if (waitingFacts >= WAITING_FACTS_MAX) {
            Answers.send(link, new FenceAnswer(request.requestId(), request.ledgerId(), -1, -1, StatusCode.BUSY));
            return;
        }
        waitingFacts++;
        fence(request.ledgerId(), () -> {
            waitingFacts--;
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
    public void fence(long ledgerId, Durable then) {
        Journal journal = journals.of(ledgerId);
        RoomQueue.Waiting fence = () -> {
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
        };
        room.fence(ledgerId, fence);
    }

    /**
     * Puts a ledger into limbo and fences it: entries and fences of it may have been lost here (B6, D9). {@code then} follows when that is durable.
     */
    public void beginLimbo(long ledgerId, Durable then) {
        changeLimbo(ledgerId, true, () -> fence(ledgerId, then));
    }

    /** Whether an entry is here, whatever its bytes are; its page of the index is in memory, see {@link LedgerTable#whenIndexed}. */
    public boolean holds(long ledgerId, long entryId) {
        Ledger ledger = table.get(ledgerId);
        return ledger != null && (cache.find(ledgerId, entryId) || ledger.extents.holds(entryId));
    }

    /** Ends limbo of a ledger: everything that metadata says is here is here. */
    public void endLimbo(long ledgerId) {
        changeLimbo(ledgerId, false, () -> LOG.info("ledger={} state=OUT_OF_LIMBO", ledgerId));
    }

    private void changeLimbo(long ledgerId, boolean begins, Durable then) {
        Journal journal = journals.of(ledgerId);
        room.attempt(ledgerId, () -> {
            Ledger ledger = table.obtain(ledgerId);
            if (ledger.isInLimbo() != begins) {
                if (!journal.stageLimbo(ledgerId, ledger.limbo() + 1)) {
                    return false;
                }
                ledger.limboStaged(ledger.limbo() + 1);
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
     * @param then follows when that is durable
     * @return false when nothing is given up, now or later: also when the journal has no room, which must not hold up those who make some (B14)
     */
    public boolean bury(long ledgerId, boolean fenced, long writesSeen, Durable then) {
        Ledger ledger = table.obtain(ledgerId);
        if (ledger.writes() != writesSeen) {
            return false;
        }
        Journal journal = journals.of(ledgerId);
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
    }

    // ---- published last add confirmed ----

    /** Takes the last add confirmed of an idle writer and answers when it is durable. */
    public void publish(PublishRequest request, Link link) {
        if (waitingFacts >= WAITING_FACTS_MAX) {
            Answers.send(link, new PublishAck(request.requestId(), request.ledgerId(), StatusCode.BUSY));
            return;
        }
        waitingFacts++;
        room.attempt(request.ledgerId(), () -> tryPublish(request, link));
    }

    private boolean tryPublish(PublishRequest request, Link link) {
        Ledger ledger = table.obtain(request.ledgerId());
        if (ledger.isFenced()) {
            waitingFacts--;
            Answers.send(link, new PublishAck(request.requestId(), request.ledgerId(), StatusCode.FENCED));
            return true;
        }
        Journal journal = journals.of(ledger.ledgerId);
        long published = request.lastAddConfirmed();
        if (published > ledger.stagedLastAddConfirmed()) {
            if (!journal.stagePublished(ledger.ledgerId, published)) {
                return false;
            }
            ledger.publishedStaged(published);
        }
        journal.whenDurable(() -> {
            waitingFacts--;
            Answers.send(link, new PublishAck(request.requestId(), request.ledgerId(), StatusCode.OK));
            confirmed(ledger, published);
        });
        return true;
    }

    /** The bookie stops: what waits is dropped without an answer. */
    public void drop() {
        dropped = true;
        room.drop();
        table.cache().stop();
    }
}
