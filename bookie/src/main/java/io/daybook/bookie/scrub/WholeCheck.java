// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.protocol.BookieId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.LongConsumer;

/**
 * Checks all logs of a bookie that does not run, one after the other, as fast as it goes.
 *
 * <p><i>Threading:</i> blocks; one thread.
 */
public final class WholeCheck {
    private final DataDisks data;
    private final BookieId bookieId;
    private final LedgerTable table;

    /** Over the files of one bookie. */
    public WholeCheck(DataDisks data, BookieId bookieId, JournalCount journals) {
        this.table = new LedgerTable(journals);
        this.data = data;
        this.bookieId = bookieId;
    }

    /**
     * Checks these logs and notes the outcome. Throws {@link io.daybook.runtime.DiskException} when the notes cannot be written.
     *
     * @param nowMillis the time by the wall clock
     * @param progress told how many bytes were read, piece by piece
     * @return the round as it is noted
     */
    public ScrubNotes run(SortedSet<Integer> logIds, long nowMillis, LongConsumer progress) {
        logIds.forEach(this::load);
        ScrubNotes notes = ScrubNotes.read(data.first()).begun(nowMillis);
        List<Damage> known = new ArrayList<>();
        ByteBuffer memory = LogCheck.newMemory();
        for (int logId : logIds) {
            try (LogCheck check = new LogCheck(data, logId, bookieId, memory)) {
                boolean isDone;
                do {
                    long before = check.bytes();
                    isDone = check.checkSome();
                    progress.accept(check.bytes() - before);
                } while (!isDone);
                check.findings().damages(table, known::addAll);
                notes = notes.checked(logId, check.bytes(), known);
            }
        }
        notes = notes.ended(nowMillis, known);
        notes.write(data.first());
        return notes;
    }

    /** What counts in a log; one whose index cannot be read is only checked for itself. */
    private void load(int logId) {
        try {
            IndexFile.read(data.of(IndexFile.name(logId)), logId, table);
        } catch (IndexDamagedException damaged) {
            table.incomplete(logId);
        }
    }
}
