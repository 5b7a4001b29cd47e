// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexDamagedException;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks one entry log from end to end, a piece at a time, and then whether its index file says the same.
 *
 * <p><i>States:</i> scanning → done, with nothing held.
 *
 * <p><i>Threading:</i> blocks; one storage loop.
 */
final class LogCheck implements EntryLogVisitor, AutoCloseable {
    /** How much is read at once: no more than a write of cleanup. */
    static final int PIECE_BYTES = 256 * 1024;

    private final DataDisks data;
    private final int logId;
    private final BookieId bookieId;
    private final ByteBuffer memory;
    private final IndexRows found;
    private @Nullable EntryLogScan scan;
    private long damagedAt = -1;
    private long indexBytes;
    private Findings findings;

    /** Of one log; {@code memory} is {@link #newMemory}, used by one check at a time. */
    LogCheck(DataDisks data, int logId, BookieId bookieId, ByteBuffer memory) {
        this.data = data;
        this.logId = logId;
        this.bookieId = bookieId;
        this.memory = memory;
        this.found = new IndexRows(logId);
        this.findings = new Findings(logId, -1, List.of(), "", "");
    }

    static ByteBuffer newMemory() {
        return EntryLogScan.newMemory(PIECE_BYTES);
    }

    /** Checks about a piece more; whether that was the last one. */
    boolean checkSome() {
        try {
            if (scan == null) {
                scan = EntryLogScan.begin(data.of(EntryLogFormat.name(logId)), logId, bookieId, this, memory);
            }
            if (!scan.scanSome(PIECE_BYTES)) {
                return false;
            }
            found.finish(scan.previousLogId());
            compareIndex(scan.isWhole(), "");
        } catch (DiskException unreadable) {
            found.finish(0);
            compareIndex(false, String.valueOf(unreadable.getMessage()));
        }
        close();
        return true;
    }

    /** Bytes read so far. */
    long bytes() {
        return indexBytes + (scan == null ? 0 : scan.position());
    }

    /** What was found, when all is checked. */
    Findings findings() {
        return findings;
    }

    @Override
    public void entry(long ledgerId, long entryId, long position, long end) {
        found.entry(ledgerId, entryId, position, end);
    }

    @Override
    public void facts(LedgerFacts of) {
        found.facts(of);
    }

    @Override
    public void damaged(long position) {
        if (damagedAt < 0) {
            damagedAt = position;
        }
    }

    private void compareIndex(boolean isWhole, String logProblem) {
        Indexed indexed = new Indexed();
        String indexProblem = "";
        try {
            Disk disk = data.of(IndexFile.name(logId));
            IndexFile.read(disk, logId, indexed);
            if (isWhole && !found.agreeWithFile(disk)) {
                indexProblem = IndexFile.name(logId) + " does not say what stands in the log";
            }
        } catch (IndexDamagedException damaged) {
            indexProblem = String.valueOf(damaged.getMessage());
        }
        indexBytes = sizeOfIndex();
        List<IndexTarget.Extent> lost = isWhole ? List.of() : Runs.without(indexed.runs, found.extents());
        findings = new Findings(logId, damagedAt, lost, indexProblem, logProblem);
    }

    private long sizeOfIndex() {
        try (DiskFile index = data.of(IndexFile.name(logId)).open(IndexFile.name(logId), Disk.OpenMode.READ_ONLY)) {
            return index.size();
        } catch (DiskException unreadable) {
            return 0;
        }
    }

    /** Nothing is held any more. */
    @Override
    public void close() {
        if (scan != null) {
            scan.close();
        }
    }

    /** The runs that an index file tells. */
    private static final class Indexed implements IndexTarget {
        private final List<Extent> runs = new ArrayList<>();

        @Override
        public void log(int logId, int previousLogId) {}

        @Override
        public void extent(Extent extent) {
            runs.add(extent);
        }

        @Override
        public void facts(LedgerFacts facts) {}

        @Override
        public void incomplete(int logId) {}
    }
}
