// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.disk.Throttle;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies runs of entries into a new log, a piece at a time; every entry is checked when it is read (B5).
 *
 * <p><i>States:</i> copying → ended, with the log and its index file durable, or with neither there.
 *
 * <p><i>Threading:</i> the work loop.
 */
final class CopyJob {
    private static final Logger LOG = LoggerFactory.getLogger(CopyJob.class);
    private static final int PIECE_BYTES = 256 * 1024;

    private final Disk data;
    private final Order order;
    private final Tools tools;
    private final Consumer<Outcome> done;
    private final IndexRows rows;
    private final ByteBuf piece = Unpooled.buffer(PIECE_BYTES);
    private @Nullable EntryLogWriter log;
    private int runIndex;
    private int copiedOfRun;
    private long bytes;
    private boolean ended;

    /**
     * What to copy.
     *
     * @param logId of the new log
     * @param newestFlushed the newest log of a flush of their journal when the runs were found alive: the new log's age
     * @param alive in order of ledger and entry
     */
    record Order(int logId, int newestFlushed, List<IndexTarget.Extent> alive, List<LedgerFacts> facts) {}

    /** What jobs share. */
    record Tools(BookieId bookieId, EventLoop loop, ColdReader reader, ByteBuffer chunk, Throttle throttle) {}

    /**
     * What came of it.
     *
     * @param rows of the new log; null when it failed
     * @param damagedLog the log that cannot be read, {@link EntryLogFormat#NO_LOG} when it was something else
     * @param failure why it failed; empty when it did not
     * @param isFull whether it failed because the directory has no space
     */
    record Outcome(@Nullable IndexRows rows, long bytes, int damagedLog, String failure, boolean isFull) {}

    CopyJob(Disk data, Order order, Tools tools, Consumer<Outcome> done) {
        this.data = data;
        this.order = order;
        this.tools = tools;
        this.done = done;
        this.rows = new IndexRows(order.logId());
    }

    void begin() {
        try {
            log = EntryLogWriter.create(data, order.logId(), order.newestFlushed(), tools.bookieId(), tools.chunk());
        } catch (DiskException failure) {
            fail(failure);
            return;
        }
        step();
    }

    /** Nothing more is copied, and nobody is told. */
    void abandon() {
        ended = true;
        closeLog();
    }

    private void step() {
        EntryLogWriter writer = log;
        if (ended || writer == null) {
            return;
        }
        try {
            if (runIndex == order.alive().size()) {
                finish(writer);
                return;
            }
            IndexTarget.Extent run = order.alive().get(runIndex);
            int copied = copyPiece(run, writer);
            if (copied == 0) {
                fail(
                        run.logId(),
                        "entry " + (run.firstEntryId() + copiedOfRun) + " of ledger " + run.ledgerId()
                                + " cannot be read from log " + Integer.toHexString(run.logId()),
                        false);
                return;
            }
            copiedOfRun += copied;
            if (copiedOfRun == run.count()) {
                runIndex++;
                copiedOfRun = 0;
            }
            bytes += piece.writerIndex();
            long delayNanos = tools.throttle()
                    .delayNanos(2L * piece.writerIndex(), tools.loop().nanoTime());
            tools.loop().schedule(delayNanos, this::step);
        } catch (DiskException failure) {
            fail(failure);
        }
    }

    /** How many entries were copied. */
    private int copyPiece(IndexTarget.Extent run, EntryLogWriter writer) {
        piece.clear();
        ColdRead read = new ColdRead(run.ledgerId(), piece, PIECE_BYTES);
        read.plan(run, copiedOfRun);
        tools.reader().run(read);
        ByteBuffer copied = piece.nioBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        for (int i = 0; i < read.count(); i++) {
            int length = copied.getInt(at);
            long position = writer.position();
            writer.appendEntry(copied, at + Integer.BYTES, length);
            rows.entry(run.ledgerId(), run.firstEntryId() + copiedOfRun + i, position, writer.position());
            at += Integer.BYTES + length;
        }
        return read.count();
    }

    private void finish(EntryLogWriter writer) {
        for (LedgerFacts of : order.facts()) {
            writer.appendFacts(of);
            rows.facts(of);
        }
        writer.finish();
        closeLog();
        rows.write(data, IndexFile.name(order.logId()), order.newestFlushed());
        data.syncDirectory("");
        ended = true;
        done.accept(new Outcome(rows, bytes, EntryLogFormat.NO_LOG, "", false));
    }

    private void fail(DiskException failure) {
        boolean isFull = failure.kind() == DiskException.Kind.FULL;
        fail(EntryLogFormat.NO_LOG, String.valueOf(failure.getMessage()), isFull);
    }

    private void fail(int damagedLog, String reason, boolean isFull) {
        ended = true;
        closeLog();
        for (String name : List.of(IndexFile.name(order.logId()), EntryLogFormat.name(order.logId()))) {
            try {
                if (data.exists(name)) {
                    data.delete(name);
                }
            } catch (DiskException leftover) {
                LOG.warn("file={} state=LEFT until the next start: {}", name, leftover.getMessage());
            }
        }
        done.accept(new Outcome(null, bytes, damagedLog, reason, isFull));
    }

    private void closeLog() {
        if (log != null) {
            log.close();
            log = null;
        }
    }
}
