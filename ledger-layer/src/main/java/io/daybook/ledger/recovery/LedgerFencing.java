// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Timer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stops the writer of a ledger and decides nothing: the first half of a recovery. The ledger is marked as in recovery, so that its writer can change neither
 * ensemble nor end, and its last ensemble is fenced: no append that begins once this is done is acknowledged (L5). Acknowledgements of earlier ones may still
 * be on their way.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class LedgerFencing {
    private static final long RETRY_NANOS = 100_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    private @Nullable FencingRound round;
    private @Nullable Timer deadline;
    private boolean isBegun;

    private LedgerFencing(HandleContext context, long ledgerId) {
        this.context = context;
        this.ledgerId = ledgerId;
    }

    /** Begins, on the context's loop. */
    public static LedgerFencing start(HandleContext context, long ledgerId) {
        LedgerFencing fencing = new LedgerFencing(context, ledgerId);
        fencing.deadline = context.loop().schedule(2 * context.timeouts().add(), fencing::onDeadline);
        context.bookies().whenLoaded(failure -> fencing.look());
        return fencing;
    }

    /** Completes with whether this call fenced anything; fails with {@link LedgerException}. */
    public CompletableFuture<Boolean> outcome() {
        return outcome;
    }

    /** Gives up, on the loop. */
    public void abandon() {
        fail(new LedgerException.HandleClosed("the fencing of ledger " + ledgerId + " was given up", known()));
    }

    private void look() {
        if (!outcome.isDone()) {
            context.resume(() -> context.ledgers().readLatest(ledgerId), this::onRead, this::onMetadataFailed);
        }
    }

    private void onRead(Versioned<LedgerMetadata> read) {
        if (outcome.isDone()) {
            return;
        }
        if (read.value().state() == LedgerState.CLOSED) {
            end(false);
        } else if (read.value().state() == LedgerState.IN_RECOVERY) {
            fence(read);
        } else {
            isBegun = true;
            context.resume(
                    () -> context.ledgers().replace(read.value().withRecovery(context.freshToken()), read.version()),
                    this::fence,
                    this::onMetadataFailed);
        }
    }

    private void fence(Versioned<LedgerMetadata> inRecovery) {
        if (outcome.isDone()) {
            return;
        }
        isBegun = true;
        LedgerMetadata metadata = inRecovery.value();
        WriteSets writeSets = new WriteSets(metadata.quorums());
        FencingRound next = new FencingRound(
                context, ledgerId, writeSets, metadata.lastFragment().ensemble(), fenced -> end(true));
        round = next;
        next.start();
    }

    private void onMetadataFailed(Throwable failure) {
        switch (MetadataFailures.codeOf(failure)) {
            case VERSION_CONFLICT -> look();
            case OUTCOME_UNKNOWN, UNAVAILABLE -> context.loop().schedule(RETRY_NANOS, this::look);
            default -> fail(MetadataFailures.translate(ledgerId, failure, known()));
        }
    }

    private void onDeadline() {
        String progress = round == null ? "its metadata could not be changed" : round.describe();
        fail(new LedgerException.NotEnoughBookies(
                "ledger " + ledgerId + " cannot be fenced now: " + progress + "; try again", known()));
    }

    /** Once it has begun the writer may be stopped. */
    private Outcome known() {
        return isBegun ? Outcome.UNKNOWN : Outcome.FAILED;
    }

    private void end(boolean isFenced) {
        stop();
        outcome.complete(isFenced);
    }

    private void fail(LedgerException failure) {
        stop();
        outcome.completeExceptionally(failure);
    }

    private void stop() {
        if (round != null) {
            round.stop();
        }
        if (deadline != null) {
            deadline.cancel();
        }
    }
}
