// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

/** Situations of ledgers that programs notice and that runs should reach. */
public final class LedgerSituations {
    /** An id was refused because an entry had it already. */
    public static final String DUPLICATE_REFUSED = "duplicate-refused";
    /** An append beyond a gap was refused for want of room. */
    public static final String NO_ROOM_BEYOND_GAP = "no-room-beyond-gap";
    /** A ledger was closed before a gap, and what stood beyond it was dropped. */
    public static final String CLOSED_BEFORE_GAP = "closed-before-gap";
    /** A writer was stopped by a fence alone: nobody had begun to recover its ledger. */
    public static final String STOPPED_BY_FENCE = "stopped-by-fence";
    /** An append was acknowledged after all its copies, because its ledger waits for them. */
    public static final String ALL_COPIES_AWAITED = "all-copies-awaited";
    /** All copies of a ledger were found sound. */
    public static final String VERIFIED = "ledger-verified";
    /** The ensemble of a ledger was changed under an enforced rule. */
    public static final String CHANGED_WITHIN_RULE = "ensemble-changed-within-rule";

    private LedgerSituations() {}
}
