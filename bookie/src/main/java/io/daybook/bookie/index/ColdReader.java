// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogReader;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out reads of flushed entries. "Cannot read" is UNKNOWN_STATE, "reads other bytes than were written" is CORRUPT; neither ever becomes
 * "absent" (B5, B6).
 *
 * <p><i>Threading:</i> blocks; the read loop.
 */
public final class ColdReader {
    private static final Logger LOG = LoggerFactory.getLogger(ColdReader.class);
    private static final int OPEN_LOGS_MAX = 64;
    private static final int ROWS_MAX = 2048;

    private final DataDisks data;
    private final EntryLogReader reader = new EntryLogReader();
    private final ByteBuffer rows =
            ByteBuffer.allocateDirect((ROWS_MAX + 1) * 4).order(ByteOrder.LITTLE_ENDIAN);
    private final Map<Integer, OpenLog> open = new LinkedHashMap<>(16, 0.75f, true);

    /** Over the data directories. */
    public ColdReader(DataDisks data) {
        this.data = data;
    }

    private record OpenLog(DiskFile index, DiskFile entries) {
        private void close() {
            index.close();
            entries.close();
        }
    }

    /** Carries out a read. */
    public void run(ColdRead read) {
        for (ColdRead.Part part : read.parts()) {
            try {
                if (!copyPart(read, part)) {
                    break;
                }
            } catch (DiskException failure) {
                LOG.warn(
                        "ledger={} entry={} state=UNREADABLE reason={}",
                        read.ledgerId(),
                        part.firstEntryId(),
                        failure.getMessage());
                read.endedBy(StatusCode.UNKNOWN_STATE);
                break;
            }
        }
    }

    /** Whether all of the part was appended. */
    private boolean copyPart(ColdRead read, ColdRead.Part part) {
        OpenLog log = log(part.logId());
        int done = 0;
        while (done < part.count()) {
            int wanted = Math.min(part.count() - done, ROWS_MAX);
            readRows(log.index(), part.tableRow() + done, wanted + 1);
            int fitting = entriesOfOneUnit(wanted);
            EntryLogReader.Run run = new EntryLogReader.Run(
                    part.logId(), read.ledgerId(), part.firstEntryId() + done, fitting, position(0), position(fitting));
            long firstEnd = position(1);
            if (run.end() - run.position() > EntryLogReader.RUN_BYTES_MAX
                    || firstEnd <= run.position()
                    || firstEnd > run.end()) {
                LOG.warn(
                        "ledger={} entry={} file={} state=CORRUPT a position in it is wrong",
                        read.ledgerId(),
                        part.firstEntryId() + done,
                        IndexFile.name(part.logId()));
                read.endedBy(StatusCode.CORRUPT);
                return false;
            }
            if (!read.admitsFirst(EntryLogReader.copyBytesMax((int) (firstEnd - run.position())))) {
                return false;
            }
            int copied = reader.copy(log.entries(), run, read.out(), read.emptyBytes(), read.outBytesMax());
            read.appended(copied);
            done += copied;
            if (copied < fitting) {
                endEarly(read, part.firstEntryId() + done, part.logId());
                return false;
            }
        }
        return true;
    }

    private void endEarly(ColdRead read, long entryId, int logId) {
        if (reader.status() != StatusCode.OK) {
            LOG.warn(
                    "ledger={} entry={} file={} state={}",
                    read.ledgerId(),
                    entryId,
                    EntryLogFormat.name(logId),
                    reader.status());
            read.endedBy(reader.status());
        }
    }

    /** How many of the entries in {@link #rows} one device read takes: as many as fit, at least one. */
    private int entriesOfOneUnit(int wanted) {
        int fitting = wanted;
        while (fitting > 1 && position(fitting) - position(0) > EntryLogReader.UNIT_BYTES) {
            fitting -= Math.max(1, fitting / 4);
        }
        return fitting;
    }

    private long position(int row) {
        return Integer.toUnsignedLong(rows.getInt(row * 4));
    }

    private void readRows(DiskFile index, int firstRow, int count) {
        rows.clear().limit(count * 4);
        int read = index.read(IndexFile.tablePosition(firstRow), rows);
        rows.clear();
        if (read < count * 4) {
            throw new DiskException(DiskException.Kind.IO, index.path() + " is shorter than it was", null);
        }
    }

    private OpenLog log(int logId) {
        OpenLog known = open.get(logId);
        if (known != null) {
            return known;
        }
        DiskFile index = open(IndexFile.name(logId));
        try {
            OpenLog opened = new OpenLog(index, open(EntryLogFormat.name(logId)));
            open.put(logId, opened);
            closeOldest();
            return opened;
        } catch (DiskException failure) {
            index.close();
            throw failure;
        }
    }

    private DiskFile open(String name) {
        return data.of(name).open(name, Disk.OpenMode.READ_ONLY);
    }

    private void closeOldest() {
        if (open.size() > OPEN_LOGS_MAX) {
            Iterator<OpenLog> oldest = open.values().iterator();
            oldest.next().close();
            oldest.remove();
        }
    }

    /** Releases the files of a log that will not be read any more. */
    public void forget(int logId) {
        OpenLog known = open.remove(logId);
        if (known != null) {
            known.close();
        }
    }

    /** Releases the files. */
    public void close() {
        open.values().forEach(OpenLog::close);
        open.clear();
    }
}
