// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.runtime.Timer;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.ReadCursor;
import io.daybook.stream.core.record.StreamEntry;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.SegmentEntries;
import io.daybook.stream.core.segment.StreamDefects;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the segments of a stream, entry by entry, and hands records to its sink as long as that has room; at the end it waits for what comes.
 *
 * <p><i>States:</i> see {@link State}.
 *
 * <p><i>Invariants:</i> S2: the next segment is begun only when metadata says that this one is completed and its last entry was read; segment numbers rise by one,
 * entries are contiguous and sequence ids have no gap, or the walk fails loudly. At most one step is under way; {@link #step} numbers it, and what an older step
 * brings is dropped. Notices of changes only shorten a wait; without them the metadata is read again whenever a wait ends (M4).
 *
 * <p><i>Threading:</i> the loop of the environment.
 */
final class SegmentWalk {
    private static final int READ_COUNT_MAX = 1000;
    private static final int READ_BYTES_MAX = 1024 * 1024;
    /** What a ledger's tail read takes for its turns of 1, 2, 4 and 8 seconds. */
    private static final long TAIL_WAIT_NANOS = 15_000_000_000L;

    private static final long POLL_NANOS_MIN = 500_000_000L;
    private static final long POLL_NANOS_MAX = 60_000_000_000L;
    private static final int POLL_MILLIS_SPREAD = 60_000;
    private static final int POLL_DOUBLINGS_MAX = 10;
    private static final long COMPLETION_POLL_NANOS_MIN = 50_000_000L;

    private enum State {
        /** Nothing is under way: the sink has no room, or the walk was not begun. */
        PAUSED,
        /** The metadata of a segment is being read. */
        LOCATING,
        /** The ledger of a segment is being opened. */
        OPENING,
        /** Entries are being read, or waited for. */
        READING,
        /** There is no next segment yet, or the present one's ledger is closed and its completion not yet known. */
        WAITING,
        /** The last step failed in a way that may pass; it is tried again after a pause. */
        BACKING_OFF,
        /** It failed for too long; {@link #resume} tries again. */
        STALLED,
        /** The end of a sealed stream, a failure for ever, or closed. */
        DONE
    }

    /** Who receives the records. */
    interface Sink {
        boolean hasRoom();

        void onRecords(List<PositionedRecord> records);

        /** The walk came further without a record, or learned that nothing is there. */
        void onProgress();

        void onEnd();

        /** It stopped; unless the failure is retryable, for ever. */
        void onFailure(StreamException failure);
    }

    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final String stream;
    private final SegmentLookUp lookUp;
    private final Sink sink;
    private final ArrayDeque<SegmentMetadata> ahead = new ArrayDeque<>();
    private State state = State.PAUSED;
    private long step;
    private int failures;
    private int fruitless;
    private boolean isStale;
    private long nextLookNanos;
    private long failingSinceNanos;
    private long segmentNumber;
    private long nextEntry;
    private int firstSlot;
    private long transactionIdMin;
    private long nextSequenceId = -1;
    private @Nullable SegmentMetadata segment;
    private @Nullable LedgerReader ledger;
    private @Nullable Timer timer;

    SegmentWalk(StreamEnvironment environment, StreamMetadata head, ReadCursor start, Sink sink) {
        this.environment = environment;
        this.known = head;
        this.stream = head.name();
        this.lookUp = new SegmentLookUp(environment, head);
        this.sink = sink;
        this.segmentNumber = start.segment();
        this.nextEntry = start.entry();
        this.firstSlot = start.slot();
        this.transactionIdMin = start.transactionIdMin();
    }

    /** The segment of the next entry. */
    long segmentNumber() {
        return segmentNumber;
    }

    /** The next entry that will be read in the segment. */
    long nextEntry() {
        return nextEntry;
    }

    /** Goes on if it stands still, also after a failure that lasted too long. */
    void resume() {
        if (state == State.PAUSED || state == State.STALLED) {
            goOn();
        }
    }

    /** The sink may have room again. */
    void onRoom() {
        if (state == State.PAUSED) {
            goOn();
        }
    }

    /** Something may have changed in the metadata. */
    void onNotice() {
        isStale = true;
        if (state == State.WAITING) {
            goOn();
        }
    }

    void close() {
        stop();
    }

    // ---- steps ----

    private long begin(State next) {
        state = next;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        return ++step;
    }

    private void goOn() {
        SegmentMetadata present = segment;
        if (!sink.hasRoom()) {
            begin(State.PAUSED);
        } else if (present == null || state == State.WAITING || isStale) {
            locate();
        } else {
            goOnIn(present);
        }
    }

    private void goOnIn(SegmentMetadata present) {
        LedgerReader open = ledger;
        if (present.state() != SegmentMetadata.State.IN_PROGRESS && nextEntry > present.lastEntryId()) {
            completed(present);
        } else if (open == null) {
            open(present);
        } else {
            read(present, open);
        }
    }

    private void after(State wait, long nanos, Runnable next) {
        long mine = begin(wait);
        timer = environment.loop().schedule(nanos, () -> {
            if (step == mine) {
                next.run();
            }
        });
    }

    private <T> void run(State next, CompletableFuture<T> work, Consumer<T> then) {
        long mine = begin(next);
        work.whenComplete((value, failure) -> {
            if (step != mine) {
                if (value instanceof AutoCloseable late) {
                    discard(late);
                }
            } else if (failure != null) {
                failed(failure);
            } else {
                failures = 0;
                then.accept(value);
            }
        });
    }

    private static void discard(AutoCloseable late) {
        if (late instanceof LedgerEntries entries) {
            entries.close();
        } else if (late instanceof LedgerReader reader) {
            reader.close();
        }
    }

    // ---- which segment ----

    private DLSN position() {
        return new DLSN(segmentNumber, nextEntry, firstSlot);
    }

    private void locate() {
        if (segment == null && !ahead.isEmpty() && !isStale) {
            entered(ahead.remove());
        } else {
            lookUp();
        }
    }

    /** Reads the metadata; a notice that comes meanwhile is not forgotten. When it fails, what was known before is still whole. */
    private void lookUp() {
        isStale = false;
        run(State.LOCATING, lookUp.find(position()), this::located);
    }

    private void located(SegmentLookUp.Found found) {
        nextLookNanos = environment.loop().nanoTime() + pollNanos();
        if (found instanceof SegmentLookUp.Found.Segments segments) {
            // What an earlier look found stands in this page again, and would be taken for the segment to read.
            ahead.clear();
            ahead.addAll(segments.list());
            entered(ahead.remove());
        } else if (found instanceof SegmentLookUp.Found.Sealed) {
            stop();
            sink.onEnd();
        } else {
            await(POLL_NANOS_MIN);
        }
    }

    /** Notices tell when to look again; without them it is looked ever more rarely (M4). */
    private void await(long nanosMin) {
        fruitless++;
        long nanos = Math.min(POLL_NANOS_MAX, nanosMin << Math.min(fruitless, POLL_DOUBLINGS_MAX));
        after(State.WAITING, isStale ? 0 : nanos, this::lookIfChanged);
        sink.onProgress();
    }

    private long pollNanos() {
        return POLL_NANOS_MAX + 1_000_000L * environment.random().below(POLL_MILLIS_SPREAD);
    }

    private void lookIfChanged() {
        run(State.LOCATING, lookUp.isUnchanged(), isUnchanged -> {
            nextLookNanos = environment.loop().nanoTime() + pollNanos();
            if (!isUnchanged || isStale) {
                lookUp();
            } else if (ledger == null) {
                await(POLL_NANOS_MIN);
            } else {
                begin(State.PAUSED);
                goOn();
            }
        });
    }

    /** The metadata of the segment to read is known, for the first time or anew. */
    private void entered(SegmentMetadata found) {
        boolean isNew = segment == null;
        segment = found;
        if (isNew && nextEntry == 0) {
            boolean isGap = nextSequenceId >= 0 && nextSequenceId != found.firstSequenceId();
            if (isGap) {
                fail(damage("segment " + segmentNumber + " begins with sequence id " + found.firstSequenceId()
                        + " where " + nextSequenceId + " follows"));
                return;
            }
            nextSequenceId = found.firstSequenceId();
        }
        LedgerReader open = ledger;
        boolean awaitsCompletion = found.state() == SegmentMetadata.State.IN_PROGRESS
                && open != null
                && open.isClosed()
                && open.lastAddConfirmed() < nextEntry;
        if (awaitsCompletion) {
            await(COMPLETION_POLL_NANOS_MIN);
        } else {
            goOnIn(found);
        }
    }

    /** Every entry of a completed segment was read. */
    private void completed(SegmentMetadata done) {
        long end = done.firstSequenceId() + done.recordCount();
        if (nextSequenceId >= 0 && nextSequenceId != end) {
            fail(damage("segment " + segmentNumber + " was completed with " + done.recordCount() + " records, but "
                    + (nextSequenceId - done.firstSequenceId()) + " were read"));
            return;
        }
        closeLedger();
        segment = null;
        segmentNumber++;
        nextEntry = 0;
        firstSlot = 0;
        nextSequenceId = end;
        if (environment.faults().at(StreamDefects.SEGMENT_SKIPPED) && ahead.poll() != null) {
            segmentNumber++;
            nextSequenceId = -1;
        }
        begin(State.PAUSED);
        goOn();
        sink.onProgress();
    }

    // ---- its entries ----

    private void open(SegmentMetadata found) {
        CompletableFuture<LedgerReader> opened = environment.openLedger(known, found);
        run(State.OPENING, opened, reader -> {
            ledger = reader;
            begin(State.PAUSED);
            goOn();
        });
    }

    private void read(SegmentMetadata found, LedgerReader reader) {
        long left = found.state() == SegmentMetadata.State.IN_PROGRESS
                ? READ_COUNT_MAX
                : found.lastEntryId() - nextEntry + 1;
        int countMax = (int) Math.min(READ_COUNT_MAX, left);
        CompletableFuture<LedgerEntries> entries =
                environment.onLoop(reader.readTail(nextEntry, countMax, READ_BYTES_MAX, TAIL_WAIT_NANOS));
        run(State.READING, entries, read -> arrived(found, reader, read));
    }

    private void arrived(SegmentMetadata found, LedgerReader reader, LedgerEntries read) {
        if (read.list().isEmpty()) {
            read.close();
            waitedInVain(found, reader);
            return;
        }
        // The state stays READING meanwhile, so that the sink's calls begin no step of their own.
        long mine = step;
        try (read) {
            for (LedgerEntries.Entry entry : read.list()) {
                take(found, entry);
            }
        } catch (StreamException damaged) {
            fail(damaged);
        }
        if (step == mine) {
            begin(State.PAUSED);
            goOn();
        }
    }

    /** Nothing came in time, or the ledger was closed: the metadata tells which, and whether the segment is completed (S2: never by guess). */
    private void waitedInVain(SegmentMetadata found, LedgerReader reader) {
        boolean isCut = found.state() != SegmentMetadata.State.IN_PROGRESS
                && reader.isClosed()
                && reader.lastAddConfirmed() < found.lastEntryId();
        if (isCut) {
            fail(damage("segment " + segmentNumber + " was completed at entry " + found.lastEntryId()
                    + ", but its ledger ends at " + reader.lastAddConfirmed()));
            return;
        }
        if (reader.isClosed()) {
            lookUp();
        } else if (environment.loop().nanoTime() - nextLookNanos >= 0) {
            lookIfChanged();
        } else {
            begin(State.PAUSED);
            goOn();
        }
        sink.onProgress();
    }

    private void take(SegmentMetadata found, LedgerEntries.Entry entry) {
        if (entry.entryId() != nextEntry) {
            throw damage("entry " + entry.entryId() + " came where " + nextEntry + " follows");
        }
        StreamEntry decoded = SegmentEntries.decode(stream, found.number(), entry);
        if (nextSequenceId >= 0 && decoded.firstSequenceId() != nextSequenceId) {
            throw damage("sequence id " + decoded.firstSequenceId() + " came where " + nextSequenceId + " follows");
        }
        nextSequenceId = decoded.nextSequenceId();
        nextEntry++;
        fruitless = 0;
        List<PositionedRecord> records = decoded.records();
        List<PositionedRecord> wanted = records.subList(Math.min(firstSlot, records.size()), records.size());
        firstSlot = 0;
        if (transactionIdMin >= 0) {
            wanted = wanted.stream()
                    .dropWhile(record -> record.transactionId() < transactionIdMin)
                    .toList();
            transactionIdMin = wanted.isEmpty() ? transactionIdMin : -1;
        }
        if (!wanted.isEmpty()) {
            sink.onRecords(wanted);
        }
    }

    // ---- the end of the stream ----

    /** Whether that entry is still to be read. */
    boolean isBefore(long segmentOfEntry, long entryId) {
        return segmentNumber < segmentOfEntry || (segmentNumber == segmentOfEntry && nextEntry <= entryId);
    }

    // ---- failures ----

    private StreamException damage(String what) {
        return SegmentLookUp.damage(stream, new DLSN(segmentNumber, nextEntry, 0), what);
    }

    private void failed(Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof LedgerException.LedgerGone && segment != null) {
            gone(segment, failure);
        } else if (root instanceof StreamException told) {
            fail(told);
        } else if (StreamFailures.isRetryable(failure)) {
            tryAgain(failure);
        } else if (StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)) {
            fail(StreamFailures.notFound(stream));
        } else {
            fail(StreamFailures.of(stream, "read at " + new DLSN(segmentNumber, nextEntry, 0), failure));
        }
    }

    /** The ledger is gone: with the stream, with a truncation, or without any right. */
    private void gone(SegmentMetadata of, Throwable failure) {
        closeLedger();
        segment = null;
        ahead.clear();
        isStale = false;
        run(State.LOCATING, lookUp.find(position()), found -> {
            if (found instanceof SegmentLookUp.Found.Segments segments
                    && isReadable(segments.list().get(0))) {
                fail(new StreamException.Corrupt(
                        "stream '" + stream + "': ledger " + of.ledgerId() + " of segment " + of.number() + " is gone",
                        failure));
            } else {
                located(found);
            }
        });
    }

    private boolean isReadable(SegmentMetadata found) {
        return found.state() == SegmentMetadata.State.IN_PROGRESS || nextEntry <= found.lastEntryId();
    }

    private void tryAgain(Throwable failure) {
        long now = environment.loop().nanoTime();
        failingSinceNanos = failures == 0 ? now : failingSinceNanos;
        failures++;
        if (now - failingSinceNanos > Retry.TOTAL_NANOS_MAX) {
            begin(State.STALLED);
            failures = 0;
            sink.onFailure(StreamFailures.of(stream, "read at " + new DLSN(segmentNumber, nextEntry, 0), failure));
        } else {
            after(State.BACKING_OFF, Retry.pauseNanos(failures), this::goOn);
        }
    }

    private void fail(StreamException failure) {
        stop();
        sink.onFailure(failure);
    }

    private void stop() {
        begin(State.DONE);
        closeLedger();
    }

    private void closeLedger() {
        LedgerReader open = ledger;
        ledger = null;
        if (open != null) {
            open.close();
        }
    }
}
