// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.quorum.EntryVerdict;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry of which recovery wants to know whether it exists: asks all members of its write set at once, and those that could not say again.
 *
 * <p><i>Invariants:</i> holds at most one reference of a frame, the one with the sound copy. <i>Threading:</i> confined to its recovery's loop.
 */
final class Candidate {
    private static final long RETRY_NANOS = 50_000_000L;

    private final Inquiry inquiry;
    private final long entryId;
    private final EntryVerdict verdict;
    private final int writeSet;
    private final List<BookieId> ensemble;
    private @Nullable ByteBuf copy;
    private boolean isAskedAgain;
    private boolean isEnded;

    Candidate(Inquiry inquiry, long entryId, int writeSet, int cover, List<BookieId> ensemble) {
        this.inquiry = inquiry;
        this.entryId = entryId;
        this.writeSet = writeSet;
        this.verdict = new EntryVerdict(writeSet, cover);
        this.ensemble = ensemble;
    }

    /**
     * What the candidates of one recovery have in common.
     *
     * @param flags of the reads
     * @param onVerdict called whenever more is known
     */
    record Inquiry(HandleContext context, long ledgerId, EntryForm form, int flags, Runnable onVerdict) {}

    long entryId() {
        return entryId;
    }

    EntryVerdict.Kind verdict() {
        return verdict.kind();
    }

    /** Asks all members. */
    void ask() {
        ask(writeSet);
    }

    /** The sound copy: the whole entry. */
    ByteBuf copy() {
        return Objects.requireNonNull(copy);
    }

    /** Gives the copy back and ignores what is still answered. */
    void end() {
        isEnded = true;
        if (copy != null) {
            copy.release();
            copy = null;
        }
    }

    private void ask(int slots) {
        ReadRequest request = new ReadRequest(
                0,
                inquiry.ledgerId,
                entryId,
                1,
                Limits.READ_BYTES_MAX,
                inquiry.flags,
                0,
                inquiry.context.timeouts().readMillis());
        for (int slot = 0; slot < ensemble.size(); slot++) {
            if ((slots & (1 << slot)) != 0) {
                int asked = slot;
                inquiry.context
                        .links()
                        .readAtOnce(ensemble.get(slot), request, (answer, frame) -> onAnswer(asked, answer, frame));
            }
        }
    }

    private void onAnswer(int slot, ReadAnswer answer, ByteBuf frame) {
        EntryVerdict.Kind before = verdict.kind();
        if (isEnded || before == EntryVerdict.Kind.PRESENT || before == EntryVerdict.Kind.ABSENT) {
            return;
        }
        if (answer.count() > 0) {
            weigh(slot, frame);
        } else if (answer.status().isProofOfAbsence()) {
            verdict.denies(slot);
        } else {
            learnedNothing(slot);
        }
        inquiry.onVerdict.run();
    }

    private void weigh(int slot, ByteBuf frame) {
        int at = frame.readerIndex() + ReadAnswer.ENTRIES_INDEX;
        int bytes = frame.getIntLE(at);
        if (inquiry.form.isSound(frame, at + 4, bytes, entryId)) {
            copy = frame.retainedSlice(at + 4, bytes);
            verdict.holds(slot);
        } else {
            inquiry.context.damage().damaged(inquiry.ledgerId, entryId, ensemble.get(slot));
            learnedNothing(slot);
        }
    }

    /** Asks again soon; the others may hang, or may need this one. */
    private void learnedNothing(int slot) {
        verdict.knowsNothing(slot);
        if (!isAskedAgain) {
            isAskedAgain = true;
            inquiry.context.loop().schedule(RETRY_NANOS, this::askAgain);
        }
    }

    private void askAgain() {
        isAskedAgain = false;
        boolean isDecided = verdict.kind() == EntryVerdict.Kind.PRESENT || verdict.kind() == EntryVerdict.Kind.ABSENT;
        if (!isEnded && !isDecided) {
            ask(verdict.askAgain());
        }
    }
}
