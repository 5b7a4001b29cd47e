// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.disk.SmallFile;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.runtime.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gathers the rows of an index file while its entry log is written, or while it is scanned.
 *
 * <p><i>Threading:</i> a storage loop.
 */
public final class IndexRows implements EntryLogVisitor {
    private final int logId;
    private final List<IndexTarget.Extent> extents = new ArrayList<>();
    private final List<LedgerFacts> facts = new ArrayList<>();
    private int[] table = new int[64];
    private int tableRows;

    private long ledgerId = -1;
    private long firstEntryId;
    private int count;
    private long end;
    private boolean incomplete;
    private int previousLogId;

    /** For a log. */
    public IndexRows(int logId) {
        this.logId = logId;
    }

    @Override
    public void entry(long entryLedgerId, long entryId, long position, long positionAfter) {
        boolean follows = entryLedgerId == ledgerId && count > 0 && entryId == firstEntryId + count && position == end;
        if (!follows) {
            endRun();
            ledgerId = entryLedgerId;
            firstEntryId = entryId;
        }
        addRow(position);
        count++;
        end = positionAfter;
    }

    @Override
    public void facts(LedgerFacts of) {
        facts.add(of);
    }

    /** Notes that part of the log could not be read: entries may be missing here. */
    public void markIncomplete() {
        incomplete = true;
    }

    boolean isIncomplete() {
        return incomplete;
    }

    private void endRun() {
        if (count > 0) {
            int row = tableRows - count;
            int bytes = (int) (end - Integer.toUnsignedLong(table[row]));
            extents.add(new IndexTarget.Extent(ledgerId, firstEntryId, count, logId, row, bytes));
            addRow(end);
            count = 0;
        }
    }

    private void addRow(long position) {
        if (tableRows == table.length) {
            table = Arrays.copyOf(table, tableRows * 2);
        }
        table[tableRows++] = (int) position;
    }

    /** All rows are told. */
    public void finish(int ofPreviousLog) {
        endRun();
        previousLogId = ofPreviousLog;
    }

    /** Writes the index file under the name {@code as}; its bytes are durable on return, its name is not. */
    public void write(Disk disk, String as, int ofPreviousLog) {
        finish(ofPreviousLog);
        IndexFile.write(disk, as, logId, ofPreviousLog, this);
    }

    /** Whether the index file of the log says what was told here, once {@link #finish} was called; fails as {@link IndexFile#read} does. */
    public boolean agreeWithFile(Disk disk) {
        return IndexFile.agrees(disk, logId, previousLogId, this);
    }

    /** Puts the index file in the place of one that is damaged or missing; durable on return, its name included. Throws {@link io.daybook.runtime.DiskException}. */
    public void replace(Disk disk, int previous) {
        String unfinished = IndexFile.name(logId) + SmallFile.UNFINISHED_SUFFIX;
        if (disk.exists(unfinished)) {
            disk.delete(unfinished);
        }
        write(disk, unfinished, previous);
        disk.rename(unfinished, IndexFile.name(logId));
        disk.syncDirectory("");
    }

    /** Tells the log, once {@link #write} or {@link #finish} was called. */
    public void tellLog(IndexTarget target) {
        target.log(logId, previousLogId);
    }

    /** Tells the log and its runs, but not the facts, once {@link #write} was called. */
    public void tellRuns(IndexTarget target) {
        tellLog(target);
        extents.forEach(target::extent);
    }

    /** The log. */
    public int logId() {
        return logId;
    }

    /** The runs, once {@link #write} or {@link #finish} was called. */
    public List<IndexTarget.Extent> extents() {
        return extents;
    }

    /** The facts. */
    public List<LedgerFacts> facts() {
        return facts;
    }

    int tableRows() {
        return tableRows;
    }

    int position(int row) {
        return table[row];
    }
}
