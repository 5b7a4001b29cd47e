// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Timer;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one ledger as a reader knows it: kept fresh by a watch while the ledger is not closed, with a poll as backstop (M4), and read again on
 * demand. It never goes back to an older version.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class LedgerView {
    private static final long POLL_NANOS_MIN = 5_000_000_000L;
    private static final long POLL_NANOS_MAX = 80_000_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final Runnable onChange;
    private Versioned<LedgerMetadata> present;
    private @Nullable Watch watch;
    private @Nullable Timer poll;
    private long pollNanos = POLL_NANOS_MIN;
    private boolean isGone;
    private boolean isEnded;

    /**
     * Knows what was read before; call {@link #follow} to keep it fresh.
     *
     * @param onChange called after every change, and when the ledger is gone
     */
    public LedgerView(HandleContext context, Versioned<LedgerMetadata> read, Runnable onChange) {
        this.context = context;
        this.ledgerId = read.value().ledgerId();
        this.present = read;
        this.onChange = onChange;
    }

    /** The newest metadata seen. */
    public LedgerMetadata metadata() {
        return present.value();
    }

    /** Whether the end is decided. */
    public boolean isClosed() {
        return present.value().state() == LedgerState.CLOSED;
    }

    /** Whether the ledger was deleted. Ids are never used again, so this is for ever (L13). */
    public boolean isGone() {
        return isGone;
    }

    /** Begins to watch. */
    public void follow() {
        if (!isClosed() && !isEnded) {
            watch = context.ledgers().watch(ledgerId, () -> context.loop().execute(this::look));
            pollLater();
        }
    }

    /** Reads the metadata after everything acknowledged before and then calls {@code done}, with the failure if there was one. */
    public void refresh(Consumer<Optional<LedgerException>> done) {
        context.resume(
                () -> context.ledgers().readLatest(ledgerId),
                read -> {
                    adopt(read);
                    done.accept(Optional.empty());
                },
                failure -> {
                    if (isNotFound(failure)) {
                        gone();
                    }
                    done.accept(Optional.of(MetadataFailures.translate(ledgerId, failure, Outcome.FAILED)));
                });
    }

    /** Ends the watch and the poll. */
    public void close() {
        isEnded = true;
        stopFollowing();
    }

    private void look() {
        if (!isEnded && !isClosed()) {
            context.resume(() -> context.ledgers().read(ledgerId), this::adopt, failure -> {
                if (isNotFound(failure) && !isEnded) {
                    refresh(again -> {}); // Only a reading that is not behind proves it.
                }
            });
        }
    }

    private static boolean isNotFound(Throwable failure) {
        return MetadataFailures.codeOf(failure) == MetadataException.Code.NOT_FOUND;
    }

    private void gone() {
        if (!isEnded && !isGone) {
            isGone = true;
            stopFollowing();
            onChange.run();
        }
    }

    private void pollLater() {
        poll = context.loop().schedule(pollNanos, () -> {
            // The watch brings the news; the longer there is none, the less it costs to make sure (S-45).
            pollNanos = Math.min(POLL_NANOS_MAX, 2 * pollNanos);
            look();
            pollLater();
        });
    }

    private void adopt(Versioned<LedgerMetadata> read) {
        if (isEnded || read.version() <= present.version()) {
            return;
        }
        present = read;
        pollNanos = POLL_NANOS_MIN;
        if (isClosed()) {
            stopFollowing();
        }
        onChange.run();
    }

    private void stopFollowing() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
        if (poll != null) {
            poll.cancel();
            poll = null;
        }
    }
}
