// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * What a journal is made of.
 *
 * @param segments all free, at least two
 * @param blockBytes alignment of commits
 * @param commitBytesMax bytes after which no further record joins a commit
 * @param incarnation the first use of a file by this journal: never used before
 * @param sequence of its first record
 */
public record JournalSetup(
        BookieId bookieId,
        List<JournalSegment> segments,
        int blockBytes,
        int commitBytesMax,
        int incarnation,
        long sequence) {
    /** Copies the list. */
    public JournalSetup {
        segments = List.copyOf(segments);
    }
}
