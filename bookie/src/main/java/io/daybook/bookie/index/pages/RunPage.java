// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import org.jspecify.annotations.Nullable;

/**
 * Runs of one ledger that are in memory together or not at all.
 *
 * <p><i>States:</i> in memory, of which a file holds a copy or not → cold (only the file holds it) and back; lost (the copy is damaged: in memory, without the
 * runs that were there); gone (its ledger does not have it any more).
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class RunPage {
    private static final long NO_COPY = -1;
    private static final long LOST = -2;
    private static final long GONE = -3;

    private @Nullable RunRows rows;
    private long from;
    private long end;
    private long copy = NO_COPY;
    private long version;

    /** In memory, without a copy. */
    RunPage(long from, long end, RunRows rows) {
        this.from = from;
        this.end = end;
        this.rows = rows;
    }

    /** The entry id from which on this page is asked. */
    public long from() {
        return from;
    }

    /** No entry of that id or a higher one is in it. */
    public long end() {
        return end;
    }

    /** It is asked for other entries from now on. */
    public void bounds(long nextFrom, long nextEnd) {
        from = nextFrom;
        end = nextEnd;
    }

    /** Whether its runs must be read before anything can be said of them. */
    public boolean isCold() {
        return rows == null;
    }

    /** Whether runs of it are not known any more. */
    public boolean isLost() {
        return copy == LOST;
    }

    boolean isGone() {
        return copy == GONE;
    }

    /** Its runs; null while it is cold. */
    public @Nullable RunRows rows() {
        RunRows known = rows;
        if (known != null) {
            known.isUsed = true;
        }
        return known;
    }

    /** As {@link #rows}, without counting as use. */
    @Nullable
    RunRows peek() {
        return rows;
    }

    /** Where the copy is, negative when there is none. */
    long copy() {
        return copy;
    }

    /** Where the copy is, when there is one. */
    PageIo.Place place() {
        return new PageIo.Place(copy, from, version);
    }

    void copiedTo(PageIo.Place place) {
        copy = place.position();
        version = place.version();
    }

    void forgetCopy() {
        copy = NO_COPY;
    }

    void cool() {
        rows = null;
    }

    void warm(RunRows read) {
        rows = read;
    }

    void lose() {
        rows = new RunRows();
        doubt();
    }

    /** Runs that are not known may be in it, beside those that are. */
    void doubt() {
        copy = LOST;
    }

    void go() {
        rows = new RunRows();
        copy = GONE;
    }
}
