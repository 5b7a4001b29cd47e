// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the memory of an index within its bound: pages that were not used lately become cold, and are read again when they are asked for. What is not in pages
 * counts too but cannot become cold.
 *
 * <p><i>Invariants:</i> a page becomes cold only when a copy of what is in it can be read; one that somebody waits for stays until he was told.
 *
 * <p><i>Threading:</i> the storage loop while the bookie starts, then the core loop.
 */
public final class PageCache {
    /** The situation that a page was read again. */
    public static final String READ_AGAIN = "index-page-read-again";

    /** More rows in a page cost less memory for each page that is cold, and more for each ledger that grows. */
    private static final int ROWS_MAX = 128;

    private static final int ROWS_MIN = 4;

    /** A cache holds some pages, however small it is. */
    private static final int PAGES_MIN = 64;

    private static final int BATCH_PAGES = 64;

    /** A file that takes nothing is tried again when there is so much more. */
    private static final int PARTS_BETWEEN_WRITES = 64;

    /** So large a part of the bound may be exceeded for the sake of space that is kept back: half of what makes the index too large. */
    private static final int URGENT_PARTS = 8;

    /** What a page takes that is cold, with its place in the ledger's array. */
    private static final int COLD_BYTES = 60;

    /** An index is never called too large below that. */
    private static final long FLOOR_BYTES = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(PageCache.class);

    private final long bytesMax;
    private final int rowsMax;
    private final Set<RunPage> warm = new LinkedHashSet<>();
    private final Map<RunPage, Integer> pins = new LinkedHashMap<>();
    private final Map<RunPage, List<Wanted>> reading = new LinkedHashMap<>();
    private final Set<RunPage> written = new LinkedHashSet<>();
    private final ArrayDeque<Long> freePlaces = new ArrayDeque<>();
    private @Nullable PageIo io;
    private long nextPlace;
    private long nextVersion;
    private long fixedBytes;
    private long warmBytes;
    private int pages;
    private boolean isWriting;
    private boolean isTrimming;
    private boolean isStopped;
    private boolean isFull;

    /** Below that nothing is written: the file took nothing the last time. */
    private long bytesToWrite;

    private PageCache(long bytesMax, @Nullable PageIo io) {
        this.bytesMax = bytesMax;
        this.io = io;
        long fitting = bytesMax / ((long) PAGES_MIN * RunRows.ROW_BYTES);
        this.rowsMax = (int) Math.max(ROWS_MIN, Math.min(ROWS_MAX, fitting));
    }

    /** Of at most about so many bytes, which {@link #over} says where to keep what is beyond it. */
    public static PageCache bounded(long bytesMax) {
        return new PageCache(bytesMax, null);
    }

    /** In which no page becomes cold. */
    public static PageCache unbounded() {
        return new PageCache(Long.MAX_VALUE / 4, null);
    }

    /** Names where cold pages are, from now on. */
    public void over(PageIo next) {
        io = next;
    }

    /** Rows that a page may have. */
    public int rowsMax() {
        return rowsMax;
    }

    /** Bytes of memory of all that counts. */
    public long bytes() {
        return fixedBytes + warmBytes + (long) pages * COLD_BYTES;
    }

    /** The bound. */
    public long bytesMax() {
        return bytesMax;
    }

    /** How many pages are cold. */
    public int coldPages() {
        return pages - warm.size();
    }

    /**
     * Whether what cannot become cold takes so much memory that nothing must be added; it is so until it is within the bound again. Asked now and again: what the
     * file did not take is offered to it once more, as nothing else may happen that would.
     */
    public boolean isFull() {
        bytesToWrite = 0;
        trim();
        long allowed = Math.max(bytesMax, FLOOR_BYTES);
        boolean wasFull = isFull;
        isFull = bytes() > (wasFull ? allowed : allowed + allowed / 4);
        if (isFull && !wasFull) {
            LOG.warn(
                    "index={} bookie.index.memory-max={} state=INDEX_FULL no new entries are taken until ledgers are"
                            + " deleted, or the bound is raised with the heap",
                    bytes(),
                    bytesMax);
        } else if (wasFull && !isFull) {
            LOG.info("index={} bookie.index.memory-max={} state=INDEX_FITS", bytes(), bytesMax);
        }
        return isFull;
    }

    // ---- what there is ----

    /** Counts memory that is not in pages; negative for less. */
    public void fixed(long bytes) {
        fixedBytes += bytes;
    }

    /** A new page, in memory. */
    public RunPage page(long from, long end, RunRows rows) {
        RunPage page = new RunPage(from, end, rows);
        pages++;
        warmBytes += rows.bytes();
        warm.add(page);
        return page;
    }

    /** A new page with the upper part of what another is asked for: where that was lost, so is this. */
    public RunPage split(RunPage from, long middle, RunRows upper) {
        RunPage page = page(middle, from.end(), upper);
        if (from.isLost()) {
            page.doubt();
        }
        from.bounds(from.from(), middle);
        return page;
    }

    /** The runs of a page have changed, which had so many bytes before. */
    public void changed(RunPage page, long bytesBefore) {
        RunRows rows = page.peek();
        warmBytes += (rows == null ? 0 : rows.bytes()) - bytesBefore;
        written.remove(page);
        if (!page.isLost()) {
            forgetCopy(page);
        }
    }

    private void forgetCopy(RunPage page) {
        if (page.copy() >= 0) {
            freePlaces.addLast(page.copy());
            page.forgetCopy();
        }
    }

    /** The ledger does not have the page any more. */
    public void removed(RunPage page) {
        RunRows rows = page.peek();
        warmBytes -= rows == null ? 0 : rows.bytes();
        pages--;
        warm.remove(page);
        written.remove(page);
        forgetCopy(page);
        page.go();
    }

    // ---- reading ----

    /** Somebody who waits for pages. */
    private static final class Wanted {
        private final List<RunPage> pages;
        private final boolean insists;
        private final Consumer<Boolean> then;
        private int left;
        private boolean isReadable = true;

        private Wanted(List<RunPage> pages, boolean insists, Consumer<Boolean> then) {
            this.pages = pages;
            this.insists = insists;
            this.then = then;
            this.left = pages.size();
        }
    }

    /**
     * Reads those of some pages that are cold. What {@code then} does, it finds all of them in memory.
     *
     * @param insists whether an error of the device that may pass is waited for
     * @param then is told, at once or later, whether the pages are there: false when the device did not answer, which it may the next time
     */
    public void read(List<RunPage> some, boolean insists, Consumer<Boolean> then) {
        boolean isLate = isStopped && !insists && some.stream().anyMatch(RunPage::isCold);
        if (some.isEmpty() || isLate) {
            then.accept(!isLate);
            return;
        }
        Wanted wanted = new Wanted(List.copyOf(some), insists, then);
        wanted.pages.forEach(page -> pins.merge(page, 1, Integer::sum));
        for (RunPage page : wanted.pages) {
            List<Wanted> others = reading.get(page);
            if (others != null) {
                others.add(wanted);
            } else if (page.isCold() && !page.isGone()) {
                List<Wanted> waiting = new ArrayList<>(List.of(wanted));
                reading.put(page, waiting);
                ask(page, insists);
            } else {
                answered(wanted, true);
            }
        }
    }

    /** Pages may not come any more, as the bookie stops: whoever waits without insisting is told so, now and from now on. */
    public void stop() {
        isStopped = true;
        for (List<Wanted> waiting : List.copyOf(reading.values())) {
            List<Wanted> leaving =
                    waiting.stream().filter(wanted -> !wanted.insists).toList();
            waiting.removeAll(leaving);
            leaving.forEach(wanted -> answered(wanted, false));
        }
    }

    private void ask(RunPage page, boolean insists) {
        PageIo from = io;
        if (from == null) {
            throw new IllegalStateException("a page is cold without a file");
        }
        from.read(page.place(), insists, answer -> readEnded(page, answer));
    }

    private void readEnded(RunPage page, PageIo.Answer answer) {
        List<Wanted> waiting = reading.remove(page);
        if (waiting == null) {
            return;
        }
        boolean isReadable = page.isGone() || take(page, answer);
        List<Wanted> insisting = new ArrayList<>();
        for (Wanted wanted : waiting) {
            if (isReadable || !wanted.insists) {
                answered(wanted, isReadable);
            } else {
                insisting.add(wanted);
            }
        }
        if (!insisting.isEmpty()) {
            // One that does not insist had begun the read.
            List<Wanted> others = reading.putIfAbsent(page, insisting);
            if (others == null) {
                ask(page, true);
            } else {
                others.addAll(insisting);
            }
        }
        trim();
    }

    /** Whether the answer says what is in the page. */
    private boolean take(RunPage page, PageIo.Answer answer) {
        RunRows rows = answer.rows();
        if (rows != null) {
            page.warm(rows);
            warmBytes += rows.bytes();
            warm.add(page);
        } else if (answer.isDamaged()) {
            forgetCopy(page);
            page.lose();
            warm.add(page);
        }
        return !page.isCold();
    }

    private void answered(Wanted wanted, boolean isReadable) {
        wanted.isReadable &= isReadable;
        wanted.left--;
        if (wanted.left == 0) {
            wanted.then.accept(wanted.isReadable);
            wanted.pages.forEach(page -> pins.computeIfPresent(page, (same, count) -> count == 1 ? null : count - 1));
        }
    }

    // ---- making room ----

    /** Lets pages become cold until what is left is within the bound, as far as that can be done at once. */
    public void trim() {
        if (io == null || isTrimming) {
            return;
        }
        isTrimming = true;
        boolean isWritten = true;
        while (isWritten) {
            isWritten = trimSome() && !isWriting && bytes() >= bytesToWrite;
        }
        isTrimming = false;
    }

    /** Whether a batch was handed over. */
    private boolean trimSome() {
        long room = Math.max(bytesMax - (bytes() - warmBytes), bytesMax / 8);
        List<RunPage> batch = new ArrayList<>();
        long excess = warmBytes - room;
        for (int looks = 2 * warm.size(); looks > 0 && excess > 0 && batch.size() < BATCH_PAGES; looks--) {
            RunPage oldest = warm.iterator().next();
            RunRows rows = oldest.peek();
            if (rows == null || rows.isUsed || stays(oldest)) {
                toEnd(oldest);
            } else if (oldest.copy() >= 0) {
                excess -= rows.bytes();
                cool(oldest);
            } else if (isWriting || bytes() < bytesToWrite) {
                break;
            } else {
                excess -= rows.bytes();
                written.add(oldest);
                batch.add(oldest);
            }
        }
        if (!batch.isEmpty()) {
            write(batch);
        }
        return !batch.isEmpty();
    }

    private boolean stays(RunPage page) {
        return page.isLost() || pins.containsKey(page) || written.contains(page);
    }

    private void toEnd(RunPage page) {
        RunRows rows = page.peek();
        if (rows != null) {
            rows.isUsed = false;
        }
        warm.remove(page);
        warm.add(page);
    }

    private void cool(RunPage page) {
        RunRows rows = page.peek();
        warmBytes -= rows == null ? 0 : rows.bytes();
        warm.remove(page);
        page.cool();
    }

    private void write(List<RunPage> batch) {
        PageIo to = io;
        if (to == null) {
            return;
        }
        List<PageIo.Image> images = new ArrayList<>();
        for (RunPage page : batch) {
            RunRows rows = Objects.requireNonNull(page.peek());
            images.add(new PageIo.Image(new PageIo.Place(nextPlace(), page.from(), nextVersion++), rows.copy()));
        }
        isWriting = true;
        boolean isUrgent = bytes() > bytesMax + bytesMax / URGENT_PARTS;
        to.write(images, isUrgent, isDone -> writeEnded(batch, images, isDone));
    }

    private long nextPlace() {
        Long free = freePlaces.pollFirst();
        if (free != null) {
            return free;
        }
        long place = nextPlace;
        nextPlace += PageFile.pageBytes(rowsMax);
        return place;
    }

    private void writeEnded(List<RunPage> batch, List<PageIo.Image> images, boolean isDone) {
        isWriting = false;
        for (int i = 0; i < batch.size(); i++) {
            RunPage page = batch.get(i);
            long position = images.get(i).place().position();
            // One that changed meanwhile is not what was written.
            if (written.remove(page) && isDone) {
                page.copiedTo(images.get(i).place());
                if (!pins.containsKey(page)) {
                    cool(page);
                }
            } else {
                freePlaces.addLast(position);
            }
        }
        if (isDone) {
            bytesToWrite = 0;
            trim();
        } else {
            bytesToWrite = bytes() + bytesMax / PARTS_BETWEEN_WRITES;
        }
    }
}
