// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.handle.Defects;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import java.util.function.Consumer;

/**
 * Records in metadata that a ledger ends where its writer ended, unless somebody else has begun to decide the end. Who finds that very end recorded,
 * by this writer or by another, has what was wanted (P-64).
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class ClosingChange {
    private static final long RETRY_NANOS = 100_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final long end;
    private final long lengthBytes;
    private final Runnable closed;
    private final Consumer<LedgerException> failed;
    private final long deadlineNanos;

    private ClosingChange(HandleContext context, LedgerEnd end, Runnable closed, Consumer<LedgerException> failed) {
        this.context = context;
        this.ledgerId = end.ledgerId();
        this.end = end.lastEntryId();
        this.lengthBytes = end.lengthBytes();
        this.closed = closed;
        this.failed = failed;
        this.deadlineNanos = context.loop().nanoTime() + context.timeouts().add();
    }

    /** Where a ledger ends. */
    record LedgerEnd(long ledgerId, long lastEntryId, long lengthBytes) {}

    /** Begins; exactly one of the two is called later. */
    static void start(
            HandleContext context,
            Versioned<LedgerMetadata> base,
            LedgerEnd end,
            Runnable closed,
            Consumer<LedgerException> failed) {
        new ClosingChange(context, end, closed, failed).write(base);
    }

    private void write(Versioned<LedgerMetadata> base) {
        LedgerMetadata next =
                base.value().withClosed(end, lengthBytes, base.value().fragments(), context.freshToken());
        context.resume(
                () -> context.ledgers().replace(next, base.version()), recorded -> closed.run(), this::onWriteFailed);
    }

    private void onWriteFailed(Throwable failure) {
        switch (MetadataFailures.codeOf(failure)) {
            case VERSION_CONFLICT -> settle();
            case OUTCOME_UNKNOWN, UNAVAILABLE -> settleLater(failure);
            default -> failed.accept(MetadataFailures.translate(ledgerId, failure, Outcome.UNKNOWN));
        }
    }

    private void settleLater(Throwable failure) {
        if (context.loop().nanoTime() - deadlineNanos >= 0) {
            failed.accept(MetadataFailures.translate(ledgerId, failure, Outcome.UNKNOWN));
        } else {
            context.loop().schedule(RETRY_NANOS, this::settle);
        }
    }

    private void settle() {
        context.resume(() -> context.ledgers().readLatest(ledgerId), this::onPresent, failure -> {
            if (MetadataFailures.codeOf(failure) == Code.NOT_FOUND) {
                failed.accept(MetadataFailures.translate(ledgerId, failure, Outcome.UNKNOWN));
            } else {
                settleLater(failure);
            }
        });
    }

    private void onPresent(Versioned<LedgerMetadata> present) {
        LedgerMetadata metadata = present.value();
        boolean isWanted = metadata.lastEntryId() == end
                && metadata.lengthBytes() == lengthBytes
                && !context.faults().at(Defects.OWN_WRITE_IS_FOREIGN);
        if (metadata.state() == LedgerState.OPEN) {
            write(present);
        } else if (metadata.state() == LedgerState.CLOSED && isWanted) {
            closed.run();
        } else {
            failed.accept(new LedgerException.Fenced(
                    "ledger " + ledgerId + " could not be closed at entry " + end + ": somebody else recovers it, its"
                            + " metadata is " + metadata.state(),
                    Outcome.FAILED));
        }
    }
}
