// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import java.util.ArrayList;
import java.util.List;

/** Records that are made durable by one write, and what waits for that. On the core loop; used again and again. */
final class CommitGroup {
    final List<Durable> waiting = new ArrayList<>();
    JournalSegment segment;
    int start;
    int end;
    int records;
    long firstSequence;
    /** Whether somebody asks for its commit, although it could take more. */
    boolean isWanted;

    CommitGroup(JournalSegment segment) {
        this.segment = segment;
    }

    /** Begins anew at the end of what is staged in {@code in}. */
    void begin(JournalSegment in, int at, long sequence) {
        segment = in;
        start = at;
        end = at + JournalFormat.COMMIT_BYTES;
        records = 0;
        isWanted = false;
        firstSequence = sequence;
    }

    long lastSequence() {
        return firstSequence + records - 1;
    }

    /** Tells everything that waits, in order. */
    void complete() {
        // What is told may wait for later groups but never for this one.
        for (int i = 0; i < waiting.size(); i++) {
            waiting.get(i).durable();
        }
        waiting.clear();
    }
}
