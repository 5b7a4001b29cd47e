// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * How the copies of a ledger's entries are.
 *
 * @param ledgerId the ledger
 * @param lastEntryId the last entry that was looked at, -1 for none
 * @param soundCopies copies that are as they should be
 * @param flawedCopies copies that are not
 * @param flaws the first {@link #FLAWS_MAX} of those, by bookie and entry
 */
public record LedgerReport(long ledgerId, long lastEntryId, long soundCopies, long flawedCopies, List<Flaw> flaws) {
    /** How many flaws are listed at most. */
    public static final int FLAWS_MAX = 1_000;

    /** What is wrong with copies. */
    public enum Kind {
        /** The bookie does not have it. */
        MISSING,
        /** Its bytes fail their check. */
        DAMAGED,
        /** The bookie does not answer, or cannot know. */
        UNREADABLE
    }

    /**
     * Consecutive entries (of those that the bookie is to keep) whose copies have the same fault.
     *
     * @param bookie whose copies they are
     * @param firstEntryId the first of the entries
     * @param lastEntryId the last of the entries
     * @param kind what is wrong
     */
    public record Flaw(BookieId bookie, long firstEntryId, long lastEntryId, Kind kind) {}

    /** {@return whether every copy is as it should be} */
    public boolean isSound() {
        return flawedCopies == 0;
    }
}
