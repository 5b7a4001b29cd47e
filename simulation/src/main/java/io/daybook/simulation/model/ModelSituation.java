// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** A meeting of events that a model worth trusting must reach. */
public enum ModelSituation {
    /** The ledger is marked as in recovery before the compare-and-set of the writer's ensemble change, which then fails. */
    RECOVERY_OVERTAKES_ENSEMBLE_CHANGE,
    /** The writer's ensemble change took effect, and recovery began before the writer knew. */
    UNKNOWN_CHANGE_TOOK_EFFECT,
    /** An ensemble change is settled while entries wait, which are sent to the new member. */
    CHANGE_RESENDS_ENTRIES,
    /** An ensemble change was given up because metadata could not be reached. */
    CHANGE_ABANDONED,
    /** Two recoverers look for the end at once. */
    TWO_RECOVERERS_SEARCH,
    /** Two recoverers write copies at once. */
    TWO_RECOVERERS_COPY,
    /** Two recoverers came to different ends; the first compare-and-set wins. */
    TWO_ENDS_DECIDED,
    /** Recovery replaced a bookie privately. */
    RECOVERY_REPLACES_MEMBER,
    /** Two recoverers replaced bookies, each for itself. */
    BOTH_REPLACE_MEMBERS,
    /** A holder and enough deniers: the answer that comes first decides. */
    EITHER_VERDICT_POSSIBLE,
    /** A copy reaches a bookie that denied the entry to somebody else. */
    COPY_AFTER_DENIAL,
    /** An entry that was never acknowledged becomes part of the closed ledger. */
    UNACKNOWLEDGED_ENTRY_KEPT,
    /** An entry that somebody stored is cut off, as it was never acknowledged. */
    UNACKNOWLEDGED_ENTRY_CUT,
    /** The writer acknowledges an entry after others have closed the ledger with it. */
    ACKNOWLEDGED_AFTER_CLOSE,
    /** A bookie stores an entry beyond the closed end. */
    STORED_BEYOND_END,
    /** The writer closes the ledger itself after an ensemble change. */
    WRITER_CLOSES_AFTER_CHANGE,
    /** Recovery begins above entries that it need not look at. */
    RECOVERY_STARTS_ABOVE_ZERO,
    /** A bookie that held an acknowledged entry is lost for ever. */
    ACKNOWLEDGED_COPY_LOST,
    /** A reader was given an entry before the ledger was closed. */
    READ_BEFORE_CLOSE
}
