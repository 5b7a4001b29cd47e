// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.KeyCheck;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a ledger whose writer is gone: marks it as in recovery, lets an attempt decide its end, records the end. Whoever finds it closed takes that end
 * (L7); whoever finds other metadata than it began with begins again.
 *
 * <p><i>Invariants:</i> L3 and L4: the end is recorded by one compare-and-set on the version from which it was decided. <i>Threading:</i> confined to one loop.
 */
public final class LedgerRecovery implements RecoveryAttempt.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRecovery.class);
    private static final int ROUNDS_MAX = 20;
    private static final long RETRY_NANOS = 100_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final DigestKey key;
    private final long deadlineNanos;
    private final CompletableFuture<Versioned<LedgerMetadata>> outcome = new CompletableFuture<>();
    private @Nullable Versioned<LedgerMetadata> base;
    private @Nullable RecoveryAttempt attempt;
    private int rounds;
    private boolean isBegun;

    private LedgerRecovery(HandleContext context, long ledgerId, DigestKey key) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.key = key;
        this.deadlineNanos = context.loop().nanoTime() + 2 * context.timeouts().add();
    }

    /** Begins, on the context's loop. */
    public static LedgerRecovery start(HandleContext context, long ledgerId, DigestKey key) {
        LedgerRecovery recovery = new LedgerRecovery(context, ledgerId, key);
        context.bookies().whenLoaded(failure -> recovery.look());
        return recovery;
    }

    /** The metadata of the closed ledger; fails with {@link LedgerException}. */
    public CompletableFuture<Versioned<LedgerMetadata>> outcome() {
        return outcome;
    }

    /** Gives up, on the loop. */
    public void abandon() {
        fail(new LedgerException.HandleClosed("the recovery of ledger " + ledgerId + " was given up", known()));
    }

    private void look() {
        if (outcome.isDone()) {
            return;
        }
        rounds++;
        if (rounds > ROUNDS_MAX) {
            fail(new LedgerException.NotEnoughBookies(
                    "ledger " + ledgerId + " is being changed by others all the time; try again", known()));
            return;
        }
        context.resume(() -> context.ledgers().readLatest(ledgerId), this::onRead, this::onMetadataFailed);
    }

    private void onRead(Versioned<LedgerMetadata> read) {
        if (outcome.isDone()) {
            return;
        }
        Optional<LedgerException> refusal = KeyCheck.refusal(read.value(), key);
        if (refusal.isPresent()) {
            fail(refusal.get()); // Nothing was fenced (P-06).
            return;
        }
        switch (read.value().state()) {
            case CLOSED -> finish(read);
            case IN_RECOVERY -> {
                context.faults().reached(Situations.TWO_RECOVERERS);
                decideFrom(read);
            }
            case OPEN -> {
                isBegun = true;
                context.resume(
                        () -> context.ledgers()
                                .replace(read.value().withRecovery(context.freshToken()), read.version()),
                        this::decideFrom,
                        this::onMetadataFailed);
            }
        }
    }

    private void decideFrom(Versioned<LedgerMetadata> inRecovery) {
        if (outcome.isDone()) {
            return;
        }
        base = inRecovery;
        isBegun = true;
        EntryForm form = new EntryForm(ledgerId, inRecovery.value().digest(), key);
        RecoveryAttempt next = new RecoveryAttempt(context, inRecovery, form, this);
        attempt = next;
        next.start();
    }

    @Override
    public void decided(LedgerMetadata privately, long lastEntryId, long lengthBytes) {
        if (base == null || outcome.isDone()) {
            return;
        }
        LOG.info("ledger={} entry={} state=RECOVERED length={}", ledgerId, lastEntryId, lengthBytes);
        LedgerMetadata closed =
                base.value().withClosed(lastEntryId, lengthBytes, privately.fragments(), context.freshToken());
        long version = base.version();
        context.resume(() -> context.ledgers().replace(closed, version), this::finish, this::onMetadataFailed);
    }

    @Override
    public void undecided(LedgerException failure) {
        fail(failure);
    }

    /** Another version, or a write of which nobody knows whether it happened: what metadata says now decides how it goes on. */
    private void onMetadataFailed(Throwable failure) {
        if (outcome.isDone()) {
            return;
        }
        Code code = MetadataFailures.codeOf(failure);
        boolean inTime = context.loop().nanoTime() - deadlineNanos < 0;
        if (code == Code.VERSION_CONFLICT) {
            context.faults()
                    .reached(
                            base == null
                                    ? Situations.RECOVERY_MEETS_ENSEMBLE_CHANGE
                                    : Situations.RECOVERY_FINDS_CLOSED);
            look();
        } else if ((code == Code.OUTCOME_UNKNOWN || code == Code.UNAVAILABLE) && inTime) {
            context.loop().schedule(RETRY_NANOS, this::look);
        } else {
            fail(MetadataFailures.translate(ledgerId, failure, known()));
        }
    }

    private void finish(Versioned<LedgerMetadata> closed) {
        if (closed.value().state() != LedgerState.CLOSED) {
            throw new IllegalArgumentException("ledger " + ledgerId + " is not closed");
        }
        stopAttempt();
        outcome.complete(closed);
    }

    /** Once it has begun the writer may be fenced. */
    private Outcome known() {
        return isBegun ? Outcome.UNKNOWN : Outcome.FAILED;
    }

    private void fail(LedgerException failure) {
        stopAttempt();
        outcome.completeExceptionally(failure);
    }

    private void stopAttempt() {
        if (attempt != null) {
            attempt.stop();
            attempt = null;
        }
    }
}
