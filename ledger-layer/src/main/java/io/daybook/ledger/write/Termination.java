// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.metadata.MetadataException;
import io.daybook.protocol.Limits;
import java.util.function.Function;

/** Why a writer ended: makes the failure that an append gets, for what became of that append. */
record Termination(Function<Outcome, LedgerException> failure) {
    /** Somebody else decides, or has decided, the end. */
    static Termination fenced(long ledgerId, String how) {
        return new Termination(outcome -> new LedgerException.Fenced(
                "ledger " + ledgerId + " was fenced: " + how + "; recover it to learn its end", outcome));
    }

    /** The ledger was deleted. */
    static Termination gone(long ledgerId) {
        return new Termination(
                outcome -> new LedgerException.LedgerGone("ledger " + ledgerId + " was deleted", outcome));
    }

    /** The ack quorum could not be reached. */
    static Termination tooFewBookies(long ledgerId, String what) {
        return new Termination(outcome -> new LedgerException.NotEnoughBookies(
                "ledger " + ledgerId + ": " + what + "; recover it to learn its end", outcome));
    }

    /** An entry was waited for too long; {@code shortage} says why failed members were not replaced, if that was so. */
    static Termination late(long ledgerId, long entryId, int ackQuorum, String shortage) {
        return tooFewBookies(
                ledgerId,
                "entry " + entryId + " did not reach its ack quorum of " + ackQuorum + " in time"
                        + (shortage.isEmpty() ? "" : ", and a bookie that failed cannot be replaced: " + shortage));
    }

    /** A bookie takes no entries as large as one that the writer needs it for. */
    static Termination tooLarge(long ledgerId, String bookie, long entryId) {
        return new Termination(outcome -> new LedgerException.TooLarge(
                "ledger " + ledgerId + ": bookie " + bookie + " takes no entry as large as entry " + entryId
                        + "; raise its bookie.slab-bytes or cut the entry; recover the ledger to learn its end",
                outcome));
    }

    /** The writer is to be closed but metadata does not say which ensemble it holds. */
    static Termination unsettled(long ledgerId) {
        String what =
                "ledger " + ledgerId + " could not be closed: the outcome of its ensemble change cannot be learned from"
                        + " the metadata store; recover it to learn its end";
        return new Termination(outcome -> new LedgerException.MetadataFailed(
                what, outcome, true, new MetadataException(MetadataException.Code.UNAVAILABLE, what)));
    }

    /** The owner closed the writer or its client. */
    static Termination closed(long ledgerId) {
        return new Termination(outcome ->
                new LedgerException.HandleClosed("the writer of ledger " + ledgerId + " is closed", outcome));
    }

    /** A bug. */
    static Termination bug(long ledgerId, String what) {
        return new Termination(outcome ->
                new LedgerException.Bug("ledger " + ledgerId + ": " + what, outcome, new IllegalStateException(what)));
    }

    /** Refuses an append for its size. */
    static LedgerException tooLarge(int payloadBytes) {
        return new LedgerException.TooLarge("an entry of " + payloadBytes + " bytes is longer than "
                + Limits.ENTRY_PAYLOAD_BYTES_MAX + " bytes; cut it");
    }

    /** Refuses an append for which there is no room. */
    static LedgerException noRoom(long ledgerId, long waitingBytes) {
        return new LedgerException.NoRoom("the writer of ledger " + ledgerId + " has " + waitingBytes
                + " bytes of appends waiting; wait for ready() before the next append");
    }

    /** For an append that was never sent. */
    LedgerException refused() {
        return with(Outcome.FAILED);
    }

    LedgerException with(Outcome outcome) {
        return failure.apply(outcome);
    }
}
