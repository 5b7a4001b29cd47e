// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Timeouts;
import io.daybook.metadata.model.Fragment;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an entry to be confirmed and reads from it on: asks one bookie after the other to hold the request for a while, for longer the longer nothing comes, since there may
 * be very many that wait (S-45). A bookie that is cut off from the writer costs no more than one such turn. It is not
 * hedged: a second request would double what waits at all bookies, to save, in rare cases, a part of one turn.
 *
 * <p><i>States:</i> asking (a request is out), pausing (a timer will ask again), ended. <i>Threading:</i> confined to its reader's loop.
 */
final class TailRead {
    private static final long WAIT_NANOS_MAX = 365L * 24 * 3600 * 1_000_000_000L;
    private static final long TURN_NANOS = 1_000_000_000L;
    private static final int TURN_DOUBLINGS_MAX = 3;
    private static final long PAUSE_NANOS_MIN = 20_000_000L;
    private static final int PAUSE_DOUBLINGS_MAX = 4;

    private final QuorumReader reader;
    private final HandleContext context;
    private final long firstEntryId;
    private final int countMax;
    private final int bytesMax;
    private final long deadlineNanos;
    private final ReadCall<LedgerEntries> call;
    private final Timer deadline;
    private @Nullable Timer pause;
    private int asked;
    private int turn;
    private int fruitless;
    private int quietTurns;
    private boolean isAsking;
    private boolean isReading;

    TailRead(QuorumReader reader, HandleContext context, QuorumReader.Wanted wanted, long waitNanos) {
        this.reader = reader;
        this.context = context;
        this.firstEntryId = wanted.firstEntryId();
        this.countMax = wanted.countMax();
        this.bytesMax = wanted.bytesMax();
        this.call = wanted.call();
        long wait = Math.min(Math.max(0, waitNanos), WAIT_NANOS_MAX);
        this.deadlineNanos = context.loop().nanoTime() + wait;
        this.deadline = context.loop().schedule(wait, this::onDeadline);
    }

    /** Looks at what is known: reads, ends or goes on waiting. */
    void evaluate() {
        if (call.isDone()) {
            end();
        } else if (firstEntryId <= reader.lastAddConfirmed()) {
            readConfirmed();
        } else if (reader.isClosed()) {
            finish(new ReadEntries(reader.lastAddConfirmed()));
        } else if (reader.isGone()) {
            end();
            reader.endAsGone(call);
        } else if (!isAsking && pause == null) {
            ask();
        }
    }

    /** The metadata has changed: the bookie that was asked may keep nothing of what is to come. */
    void onMetadata() {
        isAsking = false;
        turn++;
        stopPause();
        evaluate();
    }

    private void readConfirmed() {
        if (!isReading) {
            isReading = true;
            end();
            reader.readKnown(new QuorumReader.Wanted(firstEntryId, countMax, bytesMax, call));
        }
    }

    private void ask() {
        Fragment fragment = reader.metadata().fragmentOf(firstEntryId);
        int copies = reader.writeSets().quorums().writeQuorum();
        int slot = reader.writeSets().slotAt(firstEntryId, Math.floorMod(reader.rotation() + asked, copies));
        BookieId bookie = fragment.ensemble().get(slot);
        asked++;
        isAsking = true;
        int now = ++turn;
        long left = Math.max(0, deadlineNanos - context.loop().nanoTime());
        int waitMillis = Timeouts.millis(Math.min(TURN_NANOS << Math.min(quietTurns, TURN_DOUBLINGS_MAX), left));
        int timeoutMillis = waitMillis + Timeouts.millis(context.timeouts().silence());
        long run = reader.writeSets().runOf(slot, firstEntryId);
        ReadRequest request = new ReadRequest(
                0,
                reader.ledgerId(),
                firstEntryId,
                (int) Math.min(Math.min(run, countMax), Limits.READ_COUNT_MAX),
                Math.min(bytesMax, Limits.READ_BYTES_MAX),
                ReadRequest.FLAG_WAIT,
                waitMillis,
                timeoutMillis);
        context.links().readAtOnce(bookie, request, (answer, frame) -> onAnswer(now, answer, frame));
    }

    private void onAnswer(int askedIn, ReadAnswer answer, ByteBuf frame) {
        if (call.isDone()) {
            return;
        }
        ReadEntries entries = ReadEntries.soundPrefix(
                answer, frame, reader.form(), Math.min(answer.lastAddConfirmed(), lastWanted()));
        if (askedIn == turn) {
            isAsking = false;
        }
        if (!entries.isEmpty() && !reader.isClosed()) {
            finish(entries);
            return;
        }
        entries.close();
        reader.confirmed(answer.lastAddConfirmed());
        if (askedIn == turn && !isReading && !call.isDone()) {
            goOn(answer);
        }
    }

    private long lastWanted() {
        return firstEntryId + countMax - 1;
    }

    private void goOn(ReadAnswer answer) {
        if (answer.status() == StatusCode.OK && !answer.isFenced()) {
            fruitless = 0;
            quietTurns++;
            evaluate();
            return;
        }
        // Fenced: whoever recovers the ledger will close it. Refused: the next bookie may know more.
        fruitless++;
        boolean pausing =
                answer.isFenced() || fruitless % reader.writeSets().quorums().writeQuorum() == 0;
        if (!pausing) {
            evaluate();
            return;
        }
        pause = context.loop().schedule(PAUSE_NANOS_MIN << Math.min(fruitless, PAUSE_DOUBLINGS_MAX), () -> {
            pause = null;
            evaluate();
        });
        if (answer.status() != StatusCode.BUSY) {
            reader.lookAtMetadata();
        }
    }

    private void onDeadline() {
        if (!isReading && !call.isDone()) {
            finish(new ReadEntries(reader.lastAddConfirmed()));
        }
    }

    private void finish(ReadEntries entries) {
        end();
        reader.confirmed(entries.lastAddConfirmed());
        reader.deliver(call, entries);
    }

    private void end() {
        deadline.cancel();
        stopPause();
        reader.forget(this);
    }

    private void stopPause() {
        if (pause != null) {
            pause.cancel();
            pause = null;
        }
    }
}
