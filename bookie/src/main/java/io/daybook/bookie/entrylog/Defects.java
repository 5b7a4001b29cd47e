// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

/** The fault points of the bookie's storage: each re-plants a known defect of systems of this kind (docs/INVARIANTS.md), so that a test can prove that it is noticed. */
public final class Defects {
    /** A flush of a journal file that holds facts alone is skipped, and the mark moves all the same. */
    public static final String FACTS_ALONE_TRIMMED = "D12-facts-alone-trimmed";
    /** The mark moves before what is below it was moved out of the journal. */
    public static final String EARLY_MARK = "D13-early-mark";
    /** The mark of a journal moves as far as that of the journal that is furthest. */
    public static final String FURTHEST_MARK = "D13-furthest-mark";
    /** A compacted log is unlinked before its successor counts. */
    public static final String EARLY_UNLINK = "D14-early-unlink";
    /** One listing, complete or not, decides that a ledger is gone. */
    public static final String ONE_LISTING_DECIDES = "D15-one-listing-decides";
    /** After a failed write to an entry log the flush goes on with a position past what is there. */
    public static final String WRONG_POSITION = "D17-wrong-position";

    private Defects() {}
}
