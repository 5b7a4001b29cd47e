// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records a new ensemble of an open ledger in metadata by compare-and-set, until it is certain whether it is recorded.
 *
 * <p><i>States:</i> {@link State}. <i>Invariants:</i> at most one change at a time; while it is not settled the writer acknowledges nothing (L9).
 * <i>Threading:</i> confined to its owner's loop.
 */
final class EnsembleChange {
    /** Where the change is. */
    enum State {
        /** None is under way. */
        IDLE,
        /** It is being read whether metadata answers at all and is as expected; nothing is at stake yet. */
        LOOKING,
        /** A compare-and-set is on its way. */
        WRITING,
        /** It is being read what metadata holds, as the write met another version or its outcome is not known. */
        SETTLING
    }

    /** Told how the change goes. */
    interface Owner {
        /** Metadata answers and holds the expected ensemble: the time to {@link #start}, or to {@link #stop}, in this call. */
        void looked(Versioned<LedgerMetadata> present);

        /** The ensemble is recorded. */
        void changed(Versioned<LedgerMetadata> recorded);

        /** For certain it is not recorded and will not be; the metadata is as before. */
        void abandoned();

        /** The writer can go on no more. */
        void changeFailed(Termination why);
    }

    private static final long RETRY_NANOS = 100_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final Owner owner;
    private State state = State.IDLE;
    private @Nullable Fragment before;
    private @Nullable Fragment target;
    private boolean isInDoubt;
    private int round;

    EnsembleChange(HandleContext context, long ledgerId, Owner owner) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.owner = owner;
    }

    boolean isRunning() {
        return state != State.IDLE;
    }

    /** Whether the ensemble in metadata may already be, or may yet become, the new one. */
    boolean isUnsettled() {
        return state == State.WRITING || state == State.SETTLING;
    }

    /**
     * Reads the metadata before anything is changed, so that an outage of the store is noticed while entries can still be acknowledged.
     *
     * @param expected the last fragment as the writer knows it
     */
    void look(Fragment expected) {
        state = State.LOOKING;
        before = expected;
        int now = round;
        context.resume(
                () -> context.ledgers().readLatest(ledgerId),
                present -> {
                    if (now == round) {
                        onLooked(present);
                    }
                },
                failure -> {
                    if (now == round) {
                        onLookFailed(MetadataFailures.codeOf(failure));
                    }
                });
    }

    private void onLooked(Versioned<LedgerMetadata> present) {
        if (present.value().state() != LedgerState.OPEN) {
            fail(Termination.fenced(
                    ledgerId, "its metadata is " + present.value().state()));
        } else if (!present.value().lastFragment().equals(before)) {
            fail(Termination.bug(ledgerId, "somebody else changed the last fragment of an open ledger"));
        } else {
            owner.looked(present);
        }
    }

    private void onLookFailed(Code code) {
        if (code == Code.NOT_FOUND) {
            fail(Termination.gone(ledgerId));
        } else {
            stop();
            owner.abandoned();
        }
    }

    /** Begins a change from {@code firstEntryId} on. */
    void start(Versioned<LedgerMetadata> base, long firstEntryId, List<BookieId> ensemble) {
        target = new Fragment(firstEntryId, ensemble);
        isInDoubt = false;
        write(base);
    }

    /** Forgets the change: the writer has ended. */
    void stop() {
        state = State.IDLE;
        round++;
    }

    private void write(Versioned<LedgerMetadata> base) {
        state = State.WRITING;
        Fragment wanted = Objects.requireNonNull(target);
        LedgerMetadata next = base.value().withEnsemble(wanted.firstEntryId(), wanted.ensemble(), context.freshToken());
        int now = round;
        context.resume(
                () -> context.ledgers().replace(next, base.version()),
                recorded -> {
                    if (now == round) {
                        stop();
                        owner.changed(recorded);
                    }
                },
                failure -> {
                    if (now == round) {
                        onWriteFailed(MetadataFailures.codeOf(failure));
                    }
                });
    }

    private void onWriteFailed(Code code) {
        switch (code) {
            case OUTCOME_UNKNOWN -> {
                isInDoubt = true;
                settle();
            }
            case VERSION_CONFLICT -> settle();
            case NOT_FOUND -> fail(Termination.gone(ledgerId));
            default -> {
                if (isInDoubt) {
                    settleLater();
                } else {
                    stop();
                    owner.abandoned();
                }
            }
        }
    }

    private void settleLater() {
        state = State.SETTLING;
        int now = round;
        context.loop().schedule(RETRY_NANOS, () -> {
            if (now == round) {
                settle();
            }
        });
    }

    private void settle() {
        state = State.SETTLING;
        context.faults().reached(Situations.CHANGE_SETTLED_BY_READING);
        int now = round;
        context.resume(
                () -> context.ledgers().readLatest(ledgerId),
                present -> {
                    if (now == round) {
                        onPresent(present);
                    }
                },
                failure -> {
                    if (now == round) {
                        onReadFailed(MetadataFailures.codeOf(failure));
                    }
                });
    }

    private void onReadFailed(Code code) {
        if (code == Code.NOT_FOUND) {
            fail(Termination.gone(ledgerId));
        } else {
            settleLater();
        }
    }

    private void onPresent(Versioned<LedgerMetadata> present) {
        LedgerMetadata metadata = present.value();
        if (metadata.state() != LedgerState.OPEN) {
            fail(Termination.fenced(ledgerId, "its metadata is " + metadata.state()));
        } else if (metadata.lastFragment().equals(target)) {
            stop();
            owner.changed(present);
        } else if (metadata.lastFragment().equals(before)) {
            // Somebody repaired an older fragment, or the write in doubt has not happened: of two such writes at most
            // one can succeed.
            write(present);
        } else {
            fail(Termination.bug(ledgerId, "somebody else changed the last fragment of an open ledger"));
        }
    }

    private void fail(Termination why) {
        stop();
        owner.changeFailed(why);
    }
}
