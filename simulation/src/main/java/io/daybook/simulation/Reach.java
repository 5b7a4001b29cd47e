// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.cleanup.Cleanup;
import io.daybook.bookie.cleanup.IndexMerge;
import io.daybook.bookie.flush.SlabFlush;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.limbo.LimboEnd;
import io.daybook.ledger.handle.Situations;
import io.daybook.simulation.streams.StreamSituations;
import io.daybook.simulation.workload.LedgerSituations;
import io.daybook.stream.core.maintenance.StreamDeletion;
import io.daybook.testkit.simulated.BookieSituations;
import java.util.List;
import java.util.SortedMap;

/** The situations that many runs must reach. A run that is good but never comes near what is dangerous proves nothing. */
public final class Reach {
    /** Every situation that a night of runs must have reached at least once. */
    public static final List<String> REQUIRED = List.of(
            Situations.RECOVERY_MEETS_ENSEMBLE_CHANGE,
            Situations.TWO_RECOVERERS,
            Situations.RECOVERY_FINDS_CLOSED,
            Situations.RECOVERY_REPLACES_MEMBER,
            Situations.RECOVERY_COPIES_ENTRY,
            Situations.ENSEMBLE_CHANGED,
            Situations.CHANGE_SETTLED_BY_READING,
            Situations.NO_SPARE,
            Situations.WRITER_FENCED,
            Situations.ACCEPTED_IN_DOUBT,
            Situations.FORCED_FOR_ROOM,
            Situations.READ_HEDGED,
            Situations.APPEND_WAITED,
            LedgerSituations.DUPLICATE_REFUSED,
            LedgerSituations.NO_ROOM_BEYOND_GAP,
            LedgerSituations.CLOSED_BEFORE_GAP,
            LedgerSituations.STOPPED_BY_FENCE,
            LedgerSituations.ALL_COPIES_AWAITED,
            LedgerSituations.VERIFIED,
            LedgerSituations.CHANGED_WITHIN_RULE,
            BookieSituations.ENDED_WHILE_STARTING,
            BookieSituations.ROTTEN_REFUSES,
            BookieSituations.LACKING_REFUSES,
            BookieSituations.DAMAGE_ACCEPTED,
            BookieSituations.ROT_FOUND,
            BookieSituations.UNKNOWN_TOOK_EFFECT,
            BookieSituations.UNKNOWN_CAME_LATE,
            BookieSituations.LISTING_INCOMPLETE,
            BookieSituations.SESSION_EXPIRED,
            BookieSituations.LEFT_BEHIND,
            BookieSituations.READ_ERROR_FOUND,
            BookieSituations.RESERVE_GIVEN_UP,
            BookieSituations.INDEX_MADE_AGAIN,
            LimboEnd.ENDED,
            Situations.MEMBER_TOO_SLOW,
            StreamSituations.MADE_AGAIN,
            StreamSituations.DELETED_UNDER_WRITER,
            StreamSituations.DELETED_UNDER_READER,
            StreamSituations.FOREIGN_POSITION,
            StreamSituations.SUBSCRIPTION_GONE,
            StreamSituations.DELETION_FINISHED,
            StreamSituations.ORPHAN_DELETED,
            StreamSituations.RENAMED_BACK,
            StreamSituations.RENAMED_UNDER_WRITER,
            StreamSituations.RENAMED_UNDER_READER,
            StreamSituations.RENAMED_UNDER_SUBSCRIPTION,
            StreamSituations.OLD_POSITION,
            StreamSituations.RENAME_UNKNOWN,
            StreamSituations.RENAME_MET_DELETION,
            StreamSituations.DELETION_MET_RENAME,
            StreamSituations.NAME_OF_DELETED_TAKEN,
            StreamSituations.MADE_WHERE_LEFT,
            StreamSituations.READ_FROM_LATEST,
            StreamSituations.READ_FROM_TRANSACTION_ID,
            StreamSituations.READ_FROM_TIME,
            StreamSituations.FLUSHED,
            StreamSituations.RETAINED_BY_AGE,
            StreamSituations.RETAINED_BY_SIZE,
            StreamSituations.ROLLED_BY_AGE,
            StreamSituations.OPTIONS_CHANGED,
            StreamDeletion.TAKEN_UP,
            PageCache.READ_AGAIN,
            IndexMerge.MERGED,
            SlabFlush.MEETS_DELETION,
            Bookie.DISK_FULL,
            Bookie.ROOM_AGAIN,
            Cleanup.ENTRIES_MOVED);

    private Reach() {}

    /** Those of {@link #REQUIRED} that were never reached. */
    public static List<String> missing(SortedMap<String, Long> reached) {
        return REQUIRED.stream()
                .filter(situation -> reached.getOrDefault(situation, 0L) == 0)
                .toList();
    }
}
