// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.runtime.Failures;
import io.daybook.runtime.Invariants;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.record.EntryBuilder;
import io.daybook.stream.core.record.EntryCodec;
import io.daybook.stream.core.segment.OwnedStream;
import io.daybook.stream.core.segment.SegmentEnd;
import io.daybook.stream.core.segment.StreamDefects;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of a stream: whatever is waiting at the end of a turn goes into one entry, so that entries grow with the load and no timer is needed.
 *
 * <p><i>States:</i> see {@link State}. At a switch of segments it pauses: entries in flight are acknowledged, the ledger is closed, one change of metadata
 * completes the segment and begins the next, and then it goes on there; appends wait meanwhile.
 *
 * <p><i>Invariants:</i> S4: entries are handed to the ledger in the order of the calls, and nothing is acknowledged after the first failure. S5: a position is told
 * after its entry was acknowledged. S8: transaction ids are checked before a record is taken. Each call is completed once.
 *
 * <p><i>Threading:</i> the loop of the environment; {@link #durable} and {@link #isStopped} any thread.
 */
final class WriterMachine {
    private static final Logger LOG = LoggerFactory.getLogger(WriterMachine.class);

    /** Entries in flight at which appends wait, to be gathered into larger entries. */
    private static final int ENTRIES_IN_FLIGHT_MAX = 12;

    private enum State {
        /** Takes appends. */
        OPEN,
        /** Takes no more appends; those taken before are still being stored. */
        CLOSING,
        /** The segment is completed. */
        CLOSED,
        /** An append, or a change of segments, failed: nothing is taken any more. */
        FAILED
    }

    /** The last record that is known to be durable. */
    record Durable(DLSN position, long transactionId) {}

    private record Flush(long afterAppend, CompletableFuture<DLSN> outcome) {}

    private final StreamEnvironment environment;
    private final OwnedStream stream;
    private final Intake intake;
    private final SegmentRoll roll;
    private final TransactionIdRule rule;
    private final ResentRecords resent;
    private final WaitingAppends waiting;
    private final ArrayDeque<EntryInFlight> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Flush> flushes = new ArrayDeque<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private SegmentFill fill = new SegmentFill();
    private State state = State.OPEN;
    private boolean isSwitching;
    private boolean isSealing;
    private boolean packQueued;
    private long nextSequenceId;
    private long appendsTaken;
    private long appendsSettled;
    private volatile Durable durable;
    private volatile boolean isStopped;
    private @Nullable StreamException failure;

    /** Of a stream that was just taken over. */
    WriterMachine(StreamEnvironment environment, OwnedStream stream, WriterOptions options, Intake intake) {
        this.environment = environment;
        this.stream = stream;
        this.intake = intake;
        this.waiting = new WaitingAppends(environment.loop(), options, this::queuePack);
        OwnedStream.End end = stream.endBefore();
        this.durable = new Durable(end.position(), end.transactionId());
        this.nextSequenceId = stream.segment().firstSequenceId();
        this.rule = new TransactionIdRule(stream.settings().transactionIdMode(), end.transactionId());
        this.roll = new SegmentRoll(environment.loop(), stream, () -> !fill.isEmpty(), this::switchWhenDrained);
        this.resent = new ResentRecords(environment, stream, rule, () -> fill.lastEntryId());
        watch(stream.ledger());
    }

    String streamName() {
        return stream.name();
    }

    Intake intake() {
        return intake;
    }

    Durable durable() {
        return durable;
    }

    /** Whether there is no use in waiting for room. */
    BooleanSupplier isStopped() {
        return () -> isStopped;
    }

    /** Completes when the writer was closed in order; fails with why it was not. */
    CompletableFuture<Void> closed() {
        return closed;
    }

    // ---- what callers ask ----

    void append(PendingAppend append) {
        if (state != State.OPEN) {
            append.failed(refusal(Outcome.FAILED));
            return;
        }
        switch (rule.check(append)) {
            case STORE -> take(append);
            case RESENT -> lookUp(append);
            case OUT_OF_ORDER -> append.failed(outOfOrder(append));
        }
    }

    private void take(PendingAppend append) {
        rule.taken(append);
        appendsTaken++;
        intake.taken(append.bytes());
        waiting.add(append);
    }

    /** Answers a record that may be stored already (S9). Its bytes are counted like those of any other. */
    private void lookUp(PendingAppend append) {
        intake.taken(append.bytes());
        resent.positions(append).whenComplete((positions, cause) -> {
            intake.released(append.bytes());
            Throwable root = Failures.rootOf(cause);
            if (root instanceof StreamException.TransactionIdOutOfOrder refused) {
                append.failed(refused);
            } else if (cause != null) {
                fail(cause);
                append.failed(refusal(Outcome.UNKNOWN));
            } else if (state == State.FAILED) {
                append.failed(refusal(Outcome.UNKNOWN));
            } else {
                append.succeeded(positions);
            }
            finishWhenDrained();
        });
    }

    private StreamException outOfOrder(PendingAppend append) {
        return ResentRecords.outOfOrder(stream.name(), append, rule.lastTaken());
    }

    void flush(CompletableFuture<DLSN> outcome) {
        long afterAppend = appendsTaken;
        resent.ended().thenAccept(ended -> flushAfter(afterAppend, outcome));
    }

    private void flushAfter(long afterAppend, CompletableFuture<DLSN> outcome) {
        if (state == State.FAILED) {
            outcome.completeExceptionally(refusal(Outcome.FAILED));
        } else if (appendsSettled >= afterAppend) {
            outcome.complete(durable.position());
        } else {
            flushes.add(new Flush(afterAppend, outcome));
            waiting.hurry();
        }
    }

    void close() {
        if (state == State.OPEN) {
            state = State.CLOSING;
            stopped();
            if (!isSwitching) {
                roll.stop();
            }
            waiting.hurry();
            finishWhenDrained();
        }
    }

    /** Closes, and ends the stream in the same change of metadata that completes the segment (S12). */
    void seal(CompletableFuture<DLSN> outcome) {
        if (state == State.OPEN) {
            isSealing = true;
            close();
        }
        if (isSealing) {
            closed.whenComplete((done, cause) -> {
                if (cause == null) {
                    outcome.complete(durable.position());
                } else {
                    outcome.completeExceptionally(cause);
                }
            });
        } else {
            outcome.completeExceptionally(refusal(Outcome.FAILED));
        }
    }

    /** The stream is another's: what is in flight may be stored all the same. */
    void onOwnershipEnded(StreamException cause) {
        boolean isOwnSeal = isSealing && cause instanceof StreamException.EndOfStream;
        if (!isOwnSeal) {
            fail(cause);
        }
    }

    private void stopped() {
        isStopped = true;
        intake.stop();
    }

    // ---- entries ----

    private void queuePack() {
        if (!packQueued) {
            packQueued = true;
            environment.loop().atEndOfTurn(this::pack);
        }
    }

    private void pack() {
        packQueued = false;
        while (waiting.isDue() && mayHandOver()) {
            handOver();
        }
    }

    private boolean mayHandOver() {
        return ((state == State.OPEN && !roll.isReady()) || state == State.CLOSING)
                && !isSwitching
                && inFlight.size() < ENTRIES_IN_FLIGHT_MAX;
    }

    private void handOver() {
        List<PendingAppend> appends = waiting.takeEntry();
        EntryBuilder entry = new EntryBuilder();
        appends.forEach(append -> append.records().forEach(entry::add));
        EntryInFlight handedOver = new EntryInFlight(this, appends, entry.count());
        inFlight.add(handedOver);
        long firstSequenceId = nextSequenceId;
        nextSequenceId += entry.count();
        Outcome ifThrown = Outcome.FAILED;
        try {
            ByteBuf encoded = entry.encode(
                    firstSequenceId, EntryCodec.of(stream.settings().compression()));
            ifThrown = Outcome.UNKNOWN;
            stream.ledger().append(encoded, handedOver);
        } catch (RuntimeException | Error thrown) {
            onNotHandedOver(handedOver, thrown, ifThrown);
        }
    }

    /** Memory ran out, or a library is missing: the ledger will perhaps say nothing about the entry. */
    private void onNotHandedOver(EntryInFlight entry, Throwable thrown, Outcome outcome) {
        LOG.error("stream={} state=ENTRY_NOT_HANDED_OVER", stream.name(), thrown);
        fail(thrown);
        if (inFlight.remove(entry)) {
            settleAll(entry, refusal(outcome));
        }
    }

    void onStored(EntryInFlight entry, long entryId) {
        if (state == State.FAILED) {
            // Something else failed before: nothing is acknowledged any more (S4), and whoever opens the stream next
            // finds the entry.
            if (inFlight.remove(entry)) {
                settleAll(entry, refusal(Outcome.UNKNOWN));
            }
            return;
        }
        Invariants.require(inFlight.poll() == entry, "S4: an entry was acknowledged out of order");
        fill.stored(entryId, entry.records(), entry.firstTransactionId(), entry.lastTransactionId());
        durable = new Durable(fill.lastPosition(stream.segment().number()), entry.lastTransactionId());
        long segment = stream.segment().number();
        int slot = 0;
        for (PendingAppend append : entry.appends()) {
            settle(append);
            append.stored(segment, entryId, slot);
            slot += append.records().size();
        }
        completeFlushes();
        if (state == State.OPEN) {
            roll.onStored();
            switchWhenDrained();
        }
        finishWhenDrained();
        queuePack();
    }

    void onNotStored(EntryInFlight entry, LedgerException cause) {
        if (!inFlight.remove(entry)) {
            return;
        }
        fail(cause);
        boolean isMisreported = environment.faults().at(StreamDefects.FAILED_ENTRY_MISREPORTED);
        settleAll(entry, refusal(isMisreported ? Outcome.FAILED : StreamFailures.outcomeOf(cause)));
    }

    private void settleAll(EntryInFlight entry, StreamException told) {
        for (PendingAppend append : entry.appends()) {
            settle(append);
            append.failed(told);
        }
    }

    private void settle(PendingAppend append) {
        rule.settled(append);
        appendsSettled++;
        intake.released(append.bytes());
    }

    private void completeFlushes() {
        Flush next = flushes.peek();
        while (next != null && next.afterAppend() <= appendsSettled) {
            flushes.poll();
            next.outcome().complete(durable.position());
            next = flushes.peek();
        }
    }

    // ---- segments ----

    private void switchWhenDrained() {
        if (state == State.OPEN && roll.isReady() && !isSwitching && inFlight.isEmpty()) {
            isSwitching = true;
            LedgerWriter next = roll.takeNext();
            closeLedger().whenComplete((length, cause) -> {
                if (cause == null) {
                    goOnIn(next, length);
                } else {
                    stream.discard(next);
                    fail(cause);
                }
            });
        }
    }

    private void goOnIn(LedgerWriter next, long lengthBytes) {
        stream.roll(fill.end(lengthBytes), next).whenComplete((done, cause) -> {
            if (cause == null) {
                switched(next);
            } else {
                fail(cause);
            }
        });
    }

    private void switched(LedgerWriter next) {
        isSwitching = false;
        if (state == State.FAILED) {
            abandonLedger();
            return;
        }
        fill = new SegmentFill();
        watch(next);
        if (state == State.OPEN) {
            roll.segmentBegan();
        }
        finishWhenDrained();
        queuePack();
    }

    /** Closes the ledger of the segment; its end must be the last entry that was acknowledged. */
    private CompletableFuture<Long> closeLedger() {
        LedgerWriter ledger = stream.ledger();
        return environment.onLoop(ledger.close()).thenApply(end -> {
            Invariants.require(
                    end.longValue() == fill.lastEntryId(),
                    "S2: the ledger ends at {} after entry {}",
                    end.longValue(),
                    fill.lastEntryId());
            return ledger.lengthBytes();
        });
    }

    private void finishWhenDrained() {
        if (state == State.CLOSING && !isSwitching && waiting.isEmpty() && inFlight.isEmpty() && !resent.isBusy()) {
            isSwitching = true;
            closeLedger().thenCompose(this::complete).whenComplete((done, cause) -> {
                if (cause != null) {
                    fail(cause);
                } else {
                    state = State.CLOSED;
                    closed.complete(null);
                }
            });
        }
    }

    private CompletableFuture<Void> complete(long lengthBytes) {
        SegmentEnd end = fill.end(lengthBytes);
        return isSealing ? stream.seal(end) : stream.finish(end);
    }

    /** Learns of the ledger's failure also while nothing is in flight. */
    private void watch(LedgerWriter ledger) {
        environment.onLoop(ledger.failure()).thenAccept(cause -> {
            if (inFlight.isEmpty() && stream.ledger() == ledger) {
                fail(cause);
            }
        });
    }

    // ---- the end ----

    /** Stops at the first failure: what was not handed to the ledger is surely not stored. */
    private void fail(Throwable cause) {
        if (state == State.FAILED || state == State.CLOSED) {
            return;
        }
        state = State.FAILED;
        stopped();
        failure = StreamFailures.of(stream.name(), "go on writing", cause);
        roll.stop();
        StreamException told = refusal(Outcome.FAILED);
        for (PendingAppend append : waiting.clear()) {
            settle(append);
            append.failed(told);
        }
        flushes.forEach(flush -> flush.outcome().completeExceptionally(told));
        flushes.clear();
        closed.completeExceptionally(told);
        if (!isSwitching) {
            abandonLedger();
        }
    }

    /** Gives back what the ledger's handle holds, once what is in flight has had its outcome; nobody waits for it, and it may fail. */
    private void abandonLedger() {
        LedgerWriter ledger = stream.ledger();
        environment
                .loop()
                .resume(
                        ledger.close(),
                        (end, cause) -> LOG.debug(
                                "stream={} ledger={} state=ABANDONED end={}", stream.name(), ledger.ledgerId(), end));
    }

    /** Why nothing is taken any more. */
    private StreamException refusal(Outcome outcome) {
        StreamException cause = failure;
        if (cause == null && isSealing) {
            return new StreamException.EndOfStream(
                    "stream '" + stream.name() + "' is sealed: nothing can be appended to it");
        }
        if (cause == null) {
            return new StreamException.HandleClosed("the writer of stream '" + stream.name() + "' was closed", outcome);
        }
        if (cause instanceof StreamException.WriterFenced) {
            return new StreamException.WriterFenced(String.valueOf(cause.getMessage()), outcome);
        }
        if (cause instanceof StreamException.StreamNotFound) {
            return new StreamException.StreamNotFound(String.valueOf(cause.getMessage()), outcome);
        }
        if (cause instanceof StreamException.StreamRenamed renamed) {
            return new StreamException.StreamRenamed(
                    String.valueOf(cause.getMessage()), renamed.newName(), renamed.segmentShift(), outcome);
        }
        return new StreamException.WriterFailed(
                "the writer of stream '" + stream.name() + "' has stopped (open a new one): " + cause.getMessage(),
                outcome,
                cause);
    }
}
