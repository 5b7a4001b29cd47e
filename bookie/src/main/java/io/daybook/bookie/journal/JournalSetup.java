// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * What one of a bookie's journals is made of.
 *
 * @param segments all free, at least two
 * @param blockBytes alignment of commits
 * @param commitBytesMax bytes after which no further record joins a commit
 * @param incarnation the first use of a file by this journal: never used before; which journal it is follows from it
 * @param sequence of its first record
 * @param journals how many the bookie has
 */
public record JournalSetup(
        BookieId bookieId,
        List<JournalSegment> segments,
        int blockBytes,
        int commitBytesMax,
        int incarnation,
        long sequence,
        JournalCount journals) {
    /** Copies the list. */
    public JournalSetup {
        segments = List.copyOf(segments);
    }
}
