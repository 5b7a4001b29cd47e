// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes records durable: whatever was staged in a turn is written with one write at its end, then everything that waits for it is told. What is staged with
 * its sync deferred is written with the next commit that is asked for, or when there is enough of it.
 *
 * <p><i>States:</i> working; full (no free segment: entries are refused, facts go into the reserve); failed (nothing is told any more); stopped.
 *
 * <p><i>Invariants:</i> B1, B2: {@link Durable#durable} is called only after the write of everything staged before; B10: never after a failed write.
 * One commit is in flight at a time, so the existence of a commit proves that all before it are durable (B9).
 *
 * <p><i>Threading:</i> the core loop. A commit is written on the commit loop, which reads nothing of the slab but the bytes of that commit; they are left
 * alone meanwhile.
 */
public final class Journal implements DiskFile.CommitHandler {
    private final EventLoop loop;
    private final EventLoop commitLoop;
    private final Hop hop;
    private final BookieId bookieId;
    private final JournalCount journals;
    private final int number;
    private final int blockBytes;
    private final int commitBytesMax;
    private final int reserveBytes;
    private final JournalListener listener;
    private final Checksum checksum = new Checksum();
    private final List<JournalSegment> segments;
    private final Deque<JournalSegment> free = new ArrayDeque<>();
    private final Deque<CommitGroup> closed = new ArrayDeque<>();
    private final Deque<CommitGroup> spare = new ArrayDeque<>();

    private JournalSegment active;
    private @Nullable CommitGroup open;
    private @Nullable CommitGroup inFlight;
    private int incarnation;
    private long nextSequence;
    private long provenSequence;
    private boolean commitRequested;
    private boolean committing;
    private boolean refusedForRoom;
    private boolean stopped;

    /** With all segments free; it commits on {@code commitLoop}, which may be {@code loop}. */
    public Journal(EventLoop loop, EventLoop commitLoop, JournalSetup setup, JournalListener listener) {
        this.loop = loop;
        this.commitLoop = commitLoop;
        this.hop = new Hop();
        this.listener = listener;
        bookieId = setup.bookieId();
        blockBytes = setup.blockBytes();
        commitBytesMax = setup.commitBytesMax();
        incarnation = setup.incarnation();
        journals = setup.journals();
        number = journals.ofIncarnation(incarnation);
        nextSequence = setup.sequence();
        provenSequence = nextSequence - 1;
        segments = List.copyOf(setup.segments());
        free.addAll(segments);
        active = free.removeFirst();
        active.activate(incarnation);
        reserveBytes = reserveBytes(active.capacityBytes(), blockBytes);
    }

    private static int reserveBytes(int capacityBytes, int blockBytes) {
        return JournalFormat.roundUp(Math.max(capacityBytes / 64, blockBytes), blockBytes);
    }

    /** Bytes of the longest entry that a slab of this capacity takes. */
    public static int entryBytesMax(int capacityBytes, int blockBytes) {
        return capacityBytes
                - reserveBytes(capacityBytes, blockBytes)
                - JournalFormat.COMMIT_BYTES
                - JournalFormat.recordBytes(0);
    }

    /** Whether the entry whose bytes begin at {@code offset} of a slab's memory is as it was staged. */
    public static boolean isIntact(ByteBuffer bytes, int offset, Checksum checksum) {
        return JournalFormat.isValid(bytes, offset - JournalFormat.HEADER_BYTES, bytes.capacity(), checksum);
    }

    /** Copies an entry into the slab, indexes it there and asks for a commit; false, with nothing done, when there is no room now. */
    public boolean stageEntry(ByteBuf frame, int index, long ledgerId, long entryId) {
        boolean staged = stageDeferred(frame, index, ledgerId, entryId);
        if (staged) {
            commitSoon();
        }
        return staged;
    }

    /** As {@link #stageEntry}, without asking for a commit: any that is asked for later makes the entry durable too. */
    public boolean stageDeferred(ByteBuf frame, int index, long ledgerId, long entryId) {
        int length = frame.writerIndex() - index;
        int body = place(JournalFormat.ENTRY, length, reserveBytes);
        if (body < 0) {
            return false;
        }
        Slab slab = active.slab();
        ByteBuffer bytes = slab.bytes();
        frame.getBytes(index, bytes.limit(body + length).position(body));
        bytes.clear();
        JournalFormat.seal(bytes, body - JournalFormat.HEADER_BYTES, checksum);
        slab.add(ledgerId, entryId, body);
        return true;
    }

    /** B14: what must be possible while no segment comes free, because it takes no space of clients that write. */
    private static boolean mayUseReserve(int type) {
        return type != JournalFormat.PUBLISHED && type != JournalFormat.LIMBO;
    }

    /** Stages how often limbo of a ledger began and ended; false, with nothing done, when there is no room now. */
    public boolean stageLimbo(long ledgerId, int limbo) {
        return stageFact(JournalFormat.LIMBO, ledgerId, limbo);
    }

    /** Stages that a ledger is fenced; false, with nothing done, when there is no room now. */
    public boolean stageFence(long ledgerId) {
        return stageFact(JournalFormat.FENCE, ledgerId, 0);
    }

    /** Stages a published last add confirmed; false, with nothing done, when there is no room now. */
    public boolean stagePublished(long ledgerId, long lastAddConfirmed) {
        return stageFact(JournalFormat.PUBLISHED, ledgerId, lastAddConfirmed);
    }

    /** Stages that the entries of a ledger staged so far are given up; false, with nothing done, when there is no room now. */
    public boolean stageTombstone(long ledgerId) {
        return stageFact(JournalFormat.TOMBSTONE, ledgerId, 0);
    }

    /** The incarnation of the record staged last. */
    public int incarnation() {
        return incarnation;
    }

    private boolean stageFact(int type, long ledgerId, long value) {
        int body = place(type, JournalFormat.FACT_BODY_BYTES, mayUseReserve(type) ? 0 : reserveBytes);
        if (body < 0) {
            return false;
        }
        ByteBuffer bytes = active.slab().bytes();
        bytes.putLong(body, ledgerId);
        bytes.putLong(body + 8, value);
        JournalFormat.seal(bytes, body - JournalFormat.HEADER_BYTES, checksum);
        active.slab().touch(ledgerId);
        commitSoon();
        return true;
    }

    /** Asks for a commit of everything staged so far. */
    public void commitSoon() {
        if (open != null) {
            open.isWanted = true;
            requestCommit();
        }
    }

    /** Calls back once everything staged so far is durable: in this call when it is already. Asks for a commit. */
    public void whenDurable(Durable waiting) {
        commitSoon();
        whenCommitted(waiting);
    }

    /** As {@link #whenDurable}, without asking for a commit. */
    public void whenCommitted(Durable waiting) {
        CommitGroup last = lastGroup();
        if (last == null) {
            if (!stopped) {
                waiting.durable();
            }
        } else {
            last.waiting.add(waiting);
        }
    }

    /** Which commit the next {@link #whenCommitted} waits for: equal numbers, same commit. */
    public long commitNumber() {
        CommitGroup last = lastGroup();
        return last == null ? -1 : last.firstSequence;
    }

    private @Nullable CommitGroup lastGroup() {
        if (open != null) {
            return open;
        }
        return closed.isEmpty() ? inFlight : closed.peekLast();
    }

    /** How long ago the first record of the active segment was staged; 0 when there is none. */
    public long ageNanos() {
        return active.isEmpty() ? 0 : loop.nanoTime() - active.filledSinceNanos();
    }

    /** Seals the active segment and goes on with the next; false when nothing is in it or no other is free. */
    public boolean roll() {
        if (active.isEmpty() || free.isEmpty()) {
            return false;
        }
        sealActive();
        incarnation = journals.incarnationAfter(incarnation);
        active = free.removeFirst();
        active.activate(incarnation);
        return true;
    }

    /** Whether the active segment can be followed by another at once. */
    public boolean hasFreeSegment() {
        return !free.isEmpty();
    }

    /**
     * How full a journal is.
     *
     * @param files of its ring
     * @param freeFiles that hold nothing that is needed
     * @param neededBytes of the records in the others
     */
    public record Fill(int files, int freeFiles, long neededBytes) {}

    /** How full it is. */
    public Fill fill() {
        long neededBytes = segments.stream()
                .filter(segment -> !free.contains(segment))
                .mapToLong(JournalSegment::stagedBytes)
                .sum();
        return new Fill(segments.size(), free.size(), neededBytes);
    }

    /** Takes a flushed segment back. */
    public void release(JournalSegment segment) {
        Invariants.require(segment != active, "B7: the active journal segment was released");
        free.addLast(segment);
        if (refusedForRoom) {
            refusedForRoom = false;
            listener.roomAgain(number);
        }
    }

    /** Commits everything staged; then nothing more is taken, and the last segment is sealed. {@code done} follows when all segments were told ready. */
    public void stop(Durable done) {
        whenDurable(() -> {
            stopped = true;
            boolean isLeft = !active.isEmpty();
            if (isLeft) {
                active.seal(nextSequence);
            }
            // The commit that is being completed counts itself out only after this.
            loop.execute(() -> {
                if (isLeft) {
                    listener.readyToFlush(active);
                }
                done.durable();
            });
        });
    }

    /** Forgets everything at once; nobody is told anything. */
    public void abort() {
        stopped = true;
        open = null;
        closed.clear();
        inFlight = null;
    }

    // ---- staging ----

    /** Makes room for a record and writes its header; returns where its body goes, or -1 when there is no room. */
    private int place(int type, int bodyBytes, int keepFreeBytes) {
        if (stopped || !hasRoom(bodyBytes, keepFreeBytes)) {
            refusedForRoom = true;
            return -1;
        }
        CommitGroup group = openGroup();
        int at = group.end;
        ByteBuffer bytes = active.slab().bytes();
        JournalFormat.writeHeader(
                bytes, at, JournalFormat.typeAndBodyBytes(type, bodyBytes), incarnation, nextSequence++);
        group.records++;
        group.end = at + JournalFormat.recordBytes(bodyBytes);
        active.stagedUpTo(group.end);
        return at + JournalFormat.HEADER_BYTES;
    }

    private boolean hasRoom(int bodyBytes, int keepFreeBytes) {
        if (fits(bodyBytes, keepFreeBytes)) {
            return true;
        }
        return roll() && fits(bodyBytes, keepFreeBytes);
    }

    private boolean fits(int bodyBytes, int keepFreeBytes) {
        boolean joins = open != null && open.end - open.start < commitBytesMax;
        int start = joins
                ? active.stagedBytes()
                : JournalFormat.roundUp(active.stagedBytes(), blockBytes) + JournalFormat.COMMIT_BYTES;
        return (long) start + JournalFormat.recordBytes(bodyBytes) + keepFreeBytes <= active.capacityBytes();
    }

    private CommitGroup openGroup() {
        if (open != null && open.end - open.start >= commitBytesMax) {
            closeGroup();
        }
        if (open == null) {
            CommitGroup group = spare.isEmpty() ? new CommitGroup(active) : spare.removeFirst();
            group.begin(active, JournalFormat.roundUp(active.stagedBytes(), blockBytes), nextSequence);
            active.groupOpened(loop.nanoTime());
            open = group;
        }
        return open;
    }

    private void closeGroup() {
        if (open != null) {
            closed.addLast(open);
            open = null;
            requestCommit();
        }
    }

    private void sealActive() {
        closeGroup();
        active.seal(nextSequence);
        if (active.isReadyToFlush()) {
            listener.readyToFlush(active);
        }
    }

    // ---- committing ----

    private void requestCommit() {
        if (!commitRequested && !committing && inFlight == null && isCommitDue()) {
            commitRequested = true;
            loop.atEndOfTurn(this::commitStaged);
        }
    }

    /** A group that takes no more is always written, one that is open when somebody asks. */
    private boolean isCommitDue() {
        return !closed.isEmpty() || (open != null && open.isWanted);
    }

    private void commitStaged() {
        commitRequested = false;
        committing = true;
        while (!stopped && inFlight == null && isCommitDue()) {
            if (closed.isEmpty()) {
                closeGroup();
            }
            write(closed.removeFirst());
        }
        committing = false;
    }

    private void write(CommitGroup group) {
        JournalSegment segment = group.segment;
        ByteBuffer bytes = segment.slab().bytes();
        int type = JournalFormat.typeAndBodyBytes(JournalFormat.COMMIT, JournalFormat.COMMIT_BODY_BYTES);
        JournalFormat.writeHeader(bytes, group.start, type, segment.incarnation(), group.firstSequence);
        JournalFormat.writeCommitBody(bytes, group.start, group, bookieId, provenSequence);
        JournalFormat.seal(bytes, group.start, checksum);
        int padded = JournalFormat.roundUp(group.end, blockBytes);
        for (int at = group.end; at < padded; at += Long.BYTES) {
            bytes.putLong(at, 0);
        }
        inFlight = group;
        ByteBuffer view = segment.commitBytes(group.start, padded);
        if (commitLoop == loop) {
            segment.file().commit(group.start, view, loop, this);
        } else {
            int start = group.start;
            commitLoop.execute(() -> segment.file().commit(start, view, commitLoop, hop));
        }
    }

    /** Brings the end of a commit back from the loop on which it was made. */
    private final class Hop implements DiskFile.CommitHandler {
        @Override
        public void committed() {
            loop.execute(Journal.this::committed);
        }

        @Override
        public void failed(DiskException failure) {
            loop.execute(() -> Journal.this.failed(failure));
        }
    }

    @Override
    public void committed() {
        CommitGroup group = inFlight;
        if (stopped || group == null) {
            return;
        }
        inFlight = null;
        provenSequence = group.lastSequence();
        JournalSegment segment = group.segment;
        segment.groupCommitted(group.end);
        // One that is sealed by what waited for this commit is handed over there.
        boolean isReady = segment.isReadyToFlush() && segment != active;
        group.complete();
        spare.addFirst(group);
        if (isReady) {
            listener.readyToFlush(segment);
        }
        requestCommit();
    }

    @Override
    public void failed(DiskException failure) {
        if (!stopped) {
            abort();
            listener.failed("cannot write the journal: " + failure.getMessage());
        }
    }
}
