// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

/** Situations that tests want to have reached; counted at the fault port. */
public final class Situations {
    /** Recovery found that the writer had changed the ensemble since it looked. */
    public static final String RECOVERY_MEETS_ENSEMBLE_CHANGE = "recovery-meets-ensemble-change";
    /** Recovery found the ledger already in recovery. */
    public static final String TWO_RECOVERERS = "two-recoverers";
    /** Recovery lost the closing race. */
    public static final String RECOVERY_FINDS_CLOSED = "recovery-finds-closed";
    /** Recovery replaced a bookie. */
    public static final String RECOVERY_REPLACES_MEMBER = "recovery-replaces-member";
    /** Recovery copied an entry. */
    public static final String RECOVERY_COPIES_ENTRY = "recovery-copies-entry";
    /** The writer replaced a bookie. */
    public static final String ENSEMBLE_CHANGED = "ensemble-changed";
    /** An ensemble change had to be settled by reading again. */
    public static final String CHANGE_SETTLED_BY_READING = "change-settled-by-reading";
    /** A bookie failed and there was no spare. */
    public static final String NO_SPARE = "no-spare";
    /** A bookie was given up by a writer because it alone was slow. */
    public static final String MEMBER_TOO_SLOW = "member-too-slow";
    /** An append had to wait for room. */
    public static final String APPEND_WAITED = "append-waited";
    /** A writer with deferred sync had its entries synced because they took too much memory. */
    public static final String FORCED_FOR_ROOM = "forced-for-room";
    /** A link was lost on which entries had been taken that were not durable yet. */
    public static final String ACCEPTED_IN_DOUBT = "accepted-in-doubt";
    /** A writer was told that it is fenced. */
    public static final String WRITER_FENCED = "writer-fenced";
    /** A second bookie was asked for a read because the first was late. */
    public static final String READ_HEDGED = "read-hedged";
    /** A copy failed its digest. */
    public static final String DAMAGED_COPY = "damaged-copy";

    private Situations() {}
}
