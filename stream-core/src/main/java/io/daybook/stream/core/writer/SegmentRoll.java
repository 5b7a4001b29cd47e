// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import io.daybook.stream.core.segment.OwnedStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when a segment is followed by the next one, and has the next ledger made before the writer pauses for the switch. While no ledger can be had the old
 * segment is kept and writing goes on.
 *
 * <p><i>States:</i> see {@link State}. <i>Threading:</i> the loop of the writer.
 */
final class SegmentRoll {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRoll.class);
    private static final long RETRY_NANOS_MIN = 1_000_000_000L;
    private static final long RETRY_NANOS_MAX = 30_000_000_000L;

    private enum State {
        /** The segment is within its bounds. */
        FILLING,
        /** The next ledger is being made. */
        PREPARING,
        /** The next ledger could not be made; it is tried again later. */
        PUT_OFF,
        /** The next ledger is there: the writer may switch. */
        READY,
        /** There will be no further segment. */
        STOPPED
    }

    private final EventLoop loop;
    private final OwnedStream stream;
    private final BooleanSupplier hasRecords;
    private final Runnable onReady;
    private State state = State.FILLING;
    private long retryNanos = RETRY_NANOS_MIN;
    private boolean isOld;
    private @Nullable LedgerWriter next;
    private @Nullable Timer timer;

    /** {@code hasRecords} tells whether the segment has any; {@code onReady} is run when the writer may switch. */
    SegmentRoll(EventLoop loop, OwnedStream stream, BooleanSupplier hasRecords, Runnable onReady) {
        this.loop = loop;
        this.stream = stream;
        this.hasRecords = hasRecords;
        this.onReady = onReady;
        segmentBegan();
    }

    /** A new segment is being filled. */
    void segmentBegan() {
        state = State.FILLING;
        next = null;
        isOld = false;
        retryNanos = RETRY_NANOS_MIN;
        cancelTimer();
        long millisMax = stream.settings().segmentMillisMax();
        if (millisMax > 0) {
            timer = loop.schedule(millisMax * 1_000_000L, this::onOld);
        }
    }

    /** A segment that has grown old is followed by another also when nobody writes, so that retention by time finds it; an empty one waits for its first record. */
    private void onOld() {
        isOld = true;
        if (hasRecords.getAsBoolean()) {
            onStored();
        }
    }

    /** Records were stored in the segment: is it full or old? An empty one is never followed by another. */
    void onStored() {
        if (state == State.FILLING && isDue()) {
            prepare();
        }
    }

    private boolean isDue() {
        StreamSettings settings = stream.settings();
        return isOld || (settings.segmentBytesMax() > 0 && stream.ledger().lengthBytes() >= settings.segmentBytesMax());
    }

    private void prepare() {
        state = State.PREPARING;
        stream.prepareLedger().whenComplete((ledger, failure) -> {
            if (failure != null) {
                putOff(failure);
            } else if (state == State.PREPARING) {
                state = State.READY;
                next = ledger;
                onReady.run();
            } else {
                stream.discard(ledger);
            }
        });
    }

    private void putOff(Throwable failure) {
        if (state != State.PREPARING) {
            return;
        }
        LOG.warn(
                "stream={} segment={} state=ROLL_PUT_OFF retry_seconds={} reason={}",
                stream.name(),
                stream.segment().number(),
                retryNanos / 1_000_000_000L,
                failure.getMessage());
        state = State.PUT_OFF;
        cancelTimer();
        timer = loop.schedule(retryNanos, this::prepare);
        retryNanos = Math.min(RETRY_NANOS_MAX, 2 * retryNanos);
    }

    boolean isReady() {
        return state == State.READY;
    }

    /** The ledger of the next segment; the writer is ready to switch and keeps it. */
    LedgerWriter takeNext() {
        LedgerWriter ledger = next;
        if (ledger == null) {
            throw new IllegalStateException("no ledger is prepared");
        }
        next = null;
        state = State.STOPPED;
        return ledger;
    }

    /** There will be no further segment: gives up what was prepared. */
    void stop() {
        state = State.STOPPED;
        cancelTimer();
        LedgerWriter unused = next;
        next = null;
        if (unused != null) {
            stream.discard(unused);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
