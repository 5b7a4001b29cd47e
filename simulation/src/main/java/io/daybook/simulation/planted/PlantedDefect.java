// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.planted;

import io.daybook.bookie.journal.JournalReplay;
import io.daybook.ledger.handle.Defects;
import io.daybook.stream.core.segment.StreamDefects;

/** Defects that can be planted again, to see how soon runs find them. They are described in docs/INVARIANTS.md. */
public enum PlantedDefect {
    /** Recovery reads do not fence. */
    D1(Defects.FENCE_GAP),
    /** Recovery starts below the last fragment. */
    D2(Defects.BELOW_LAST_FRAGMENT),
    /** One denial proves absence. */
    D3(Defects.ONE_DENIAL_DECIDES),
    /** Recovery stores its ensemble change before its copies are complete. */
    D4(Defects.EARLY_ENSEMBLE_COMMIT, HuntingGround.TAKE_OVERS),
    /** Recovery reads from the ensemble it has changed. */
    D5(Defects.READS_CHANGED_ENSEMBLE, HuntingGround.TAKE_OVERS),
    /** Recovery raises the last add confirmed in the entries that it copies. */
    D6(Defects.RAISED_CONFIRMED),
    /** The writer uses an ensemble before metadata holds it. */
    D7(Defects.UNRECORDED_ENSEMBLE, HuntingGround.TAKE_OVERS),
    /** Acknowledgements of replaced members are counted. */
    D8(Defects.STALE_ACKS),
    /** A bookie that lost part of its journal or an entry log goes on as if nothing were missing. */
    D9(io.daybook.bookie.ledgers.Defects.AMNESIA),
    /** What cannot be read is called absent. */
    D10(io.daybook.bookie.ledgers.Defects.UNREADABLE_IS_ABSENT),
    /** An add that was checked before a fence is taken after it. */
    D11(io.daybook.bookie.ledgers.Defects.FENCE_ADD_RACE),
    /** A journal file that holds fences alone is given up without a flush. */
    D12(io.daybook.bookie.entrylog.Defects.FACTS_ALONE_TRIMMED),
    /** The mark of the journal moves before the flush is durable. */
    D13(io.daybook.bookie.entrylog.Defects.EARLY_MARK),
    /** The mark of each of several journals moves as far as the furthest. */
    D13B(io.daybook.bookie.entrylog.Defects.FURTHEST_MARK),
    /** A compacted log is unlinked before its successor counts. */
    D14(io.daybook.bookie.entrylog.Defects.EARLY_UNLINK),
    /** One listing of ledgers, complete or not, decides that a ledger is gone. */
    D15(io.daybook.bookie.entrylog.Defects.ONE_LISTING_DECIDES),
    /** The bytes of a journal record are believed when its length is there. */
    D16(JournalReplay.UNCHECKED_RECORDS, HuntingGround.TORN_COMMITS),
    /** After a failed write a flush goes on with a wrong position. */
    D17(io.daybook.bookie.entrylog.Defects.WRONG_POSITION),
    /** A metadata conflict is always taken for somebody else's write. */
    D18(Defects.OWN_WRITE_IS_FOREIGN),
    /** A take-over of a stream takes old segments to end where readers may read. */
    D19_UNRECOVERED(StreamDefects.OLD_SEGMENTS_NOT_RECOVERED),
    /** The last transaction id of a stream runs ahead when a segment stayed empty. */
    D19_AHEAD(StreamDefects.LAST_ID_AHEAD),
    /** After a failed entry its records are told to be surely absent. */
    D19_MISREPORTED(StreamDefects.FAILED_ENTRY_MISREPORTED),
    /** A reader that moves on to the next segment while it knows of a further one passes one over. */
    D19_SKIPPED(StreamDefects.SEGMENT_SKIPPED),
    /** An add whose sync is deferred is acknowledged when it is only taken. */
    D21(io.daybook.bookie.ledgers.Defects.ACCEPTED_IS_DURABLE),
    /** The deletion of a stream forgets its numbers. */
    D22_NUMBERS(StreamDefects.NUMBERS_FORGOTTEN),
    /** The deletion of a stream takes what it finds under the name for that stream's. */
    D22_NAME(StreamDefects.DELETED_BY_NAME, HuntingGround.DELETIONS),
    /** Whoever is told the new name of a stream is told that its positions are what they were. */
    D23_SHIFT(StreamDefects.SHIFT_FORGOTTEN),
    /** Whoever finds its stream under the name takes that for proof that it never left it. */
    D23_RETURN(StreamDefects.RETURN_UNNOTICED, HuntingGround.RENAMES);

    private final String point;

    private final HuntingGround ground;

    PlantedDefect(String point) {
        this(point, HuntingGround.EVERYWHERE);
    }

    PlantedDefect(String point, HuntingGround ground) {
        this.point = point;
        this.ground = ground;
    }

    /** Where it is looked for. */
    public HuntingGround ground() {
        return ground;
    }

    /** The fault point that plants it. */
    public String point() {
        return point;
    }
}
