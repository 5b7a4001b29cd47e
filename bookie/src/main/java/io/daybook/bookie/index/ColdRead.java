// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

import io.daybook.bookie.index.pages.RunRows;
import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * One read of flushed entries: what to read, planned on the core loop, and what came of it, filled in by the read loop before it is handed back.
 */
public final class ColdRead {
    private final long ledgerId;
    private final ByteBuf out;
    private final int emptyBytes;
    private int outBytesMax;
    private int firstBytesMax = Integer.MAX_VALUE;
    private final List<Part> parts = new ArrayList<>();
    private int count;
    private int firstBytesLacking;
    private StatusCode status = StatusCode.OK;

    /** Part of a run: consecutive entries of which the first one's position stands in row {@code tableRow} of the log's index file. */
    record Part(int logId, int tableRow, long firstEntryId, int count) {}

    /**
     * An empty plan.
     *
     * @param out where the entries are appended, each as a 4-byte length and its bytes
     * @param outBytesMax readable bytes of {@code out} at which the read ends; a first entry is appended whatever its size
     */
    public ColdRead(long ledgerId, ByteBuf out, int outBytesMax) {
        this.ledgerId = ledgerId;
        this.out = out;
        this.emptyBytes = out.readableBytes();
        this.outBytesMax = outBytesMax;
    }

    /**
     * Sets how much may be appended, once what is planned tells how much that should be.
     *
     * @param bytesMax bytes of entries at which the read ends
     * @param firstMax what the first entry may take, also beyond that; of one that takes more nothing is appended, and {@link #firstBytesLacking} tells
     */
    public void bound(int bytesMax, int firstMax) {
        outBytesMax = emptyBytes + bytesMax;
        firstBytesMax = firstMax;
    }

    /** Plans at most {@code countMax} consecutive entries from {@code firstEntryId} on, up to a page of the index that is cold; how many were planned. */
    public int plan(Extents extents, long firstEntryId, int countMax) {
        int planned = 0;
        RunRows rows = extents.rowsAt(firstEntryId);
        int slot = rows == null ? -1 : rows.find(firstEntryId);
        while (rows != null && slot >= 0 && planned < countMax) {
            long next = firstEntryId + planned;
            int skipped = (int) (next - rows.firstEntryId(slot));
            int take = Math.min(rows.count(slot) - skipped, countMax - planned);
            parts.add(new Part(rows.logId(slot), rows.tableRow(slot) + skipped, next, take));
            planned += take;
            slot++;
            if (slot == rows.size() || rows.firstEntryId(slot) != next + take) {
                rows = extents.rowsAt(next + take);
                slot = rows == null ? -1 : rows.find(next + take);
            }
        }
        return planned;
    }

    /**
     * About how many bytes the planned entries take in {@code out}: as many as the live entries of their logs on average. Entries of one log differ in size, so
     * they may take less or more.
     */
    public long bytesAbout(LogTable logs) {
        return parts.stream()
                .mapToLong(part -> part.count() * logs.liveEntryBytes(part.logId()))
                .sum();
    }

    /** Plans what follows the first {@code skipped} entries of a run. */
    public void plan(IndexTarget.Extent run, int skipped) {
        parts.add(new Part(run.logId(), run.tableRow() + skipped, run.firstEntryId() + skipped, run.count() - skipped));
    }

    /** Where the entries are. */
    public ByteBuf out() {
        return out;
    }

    /** How many entries were appended. */
    public int count() {
        return count;
    }

    /** What the first entry takes, at most, when that is more than it may; otherwise 0. */
    public int firstBytesLacking() {
        return firstBytesLacking;
    }

    /** {@link StatusCode#OK}, or why the entry after the last appended one could not be: CORRUPT or UNKNOWN_STATE. */
    public StatusCode status() {
        return status;
    }

    long ledgerId() {
        return ledgerId;
    }

    int emptyBytes() {
        return emptyBytes;
    }

    int outBytesMax() {
        return outBytesMax;
    }

    /** Whether an entry of at most so many bytes can be appended as the first one; if not it is noted how many it takes. */
    boolean admitsFirst(int bytes) {
        boolean admits = count > 0 || bytes <= firstBytesMax;
        firstBytesLacking = admits ? 0 : bytes;
        return admits;
    }

    List<Part> parts() {
        return parts;
    }

    void appended(int entries) {
        count += entries;
    }

    void endedBy(StatusCode reason) {
        status = reason;
    }
}
