// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.cache.SlabEntries;
import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.Journal;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.Invariants;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Moves what is in a sealed slab into an entry log, sorted by ledger and entry, and an index file. The log is numbered like the journal's
 * incarnation, so that a flush that a crash cut short is recognised and made again.
 *
 * <p><i>Threading:</i> blocks; the storage loop.
 */
final class SlabFlush {
    private final Disk data;
    private final BookieId bookieId;
    private final ByteBuffer chunk;
    private final Checksum checksum = new Checksum();
    private int lastLogId;

    /** {@code lastLogId} is the newest log that counts. */
    SlabFlush(Disk data, BookieId bookieId, int lastLogId) {
        this.data = data;
        this.bookieId = bookieId;
        this.lastLogId = lastLogId;
        this.chunk = EntryLogWriter.newChunk(data);
    }

    /** The newest log that counts. */
    int lastLogId() {
        return lastLogId;
    }

    /**
     * Writes log and index file; both are durable on return, names included. Throws {@link io.daybook.runtime.DiskException}.
     *
     * @param view the slab's memory as this loop may read it
     */
    IndexRows flush(int logId, Slab slab, ByteBuffer view, List<LedgerFacts> facts) {
        IndexRows rows = new IndexRows(logId);
        try (EntryLogWriter log = EntryLogWriter.create(data, logId, lastLogId, bookieId, chunk)) {
            for (long ledgerId : slab.ledgerIds()) {
                SlabEntries entries = slab.entries(ledgerId);
                if (entries != null) {
                    appendLedger(log, rows, ledgerId, entries, view);
                }
            }
            for (LedgerFacts of : facts) {
                log.appendFacts(of);
                rows.facts(of);
            }
            log.finish();
        }
        rows.write(data, IndexFile.name(logId), lastLogId);
        data.syncDirectory("");
        lastLogId = logId;
        return rows;
    }

    private void appendLedger(EntryLogWriter log, IndexRows rows, long ledgerId, SlabEntries entries, ByteBuffer view) {
        for (int slot = 0; slot < entries.count(); slot++) {
            int offset = entries.offset(slot);
            long entryId = entries.entryId(slot);
            Invariants.require(
                    Journal.isIntact(view, offset, checksum),
                    "B5: entry {} of ledger {} changed in memory since it was staged",
                    entryId,
                    ledgerId);
            long position = log.position();
            log.appendEntry(view, offset, Slab.lengthAt(view, offset));
            rows.entry(ledgerId, entryId, position, log.position());
        }
    }
}
