// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes pages of the index; what is told is told on the loop that asked, at once or later. */
public interface PageIo {
    /**
     * Reads a page.
     *
     * @param insists whether an error of the device is no answer, as long as it may pass
     */
    void read(Place place, boolean insists, Consumer<Answer> done);

    /**
     * Writes pages; tells whether all of them can be read from now on.
     *
     * @param isUrgent whether memory is short, so that what is kept back of the device is used too
     */
    void write(List<Image> images, boolean isUrgent, Consumer<Boolean> done);

    /**
     * Where a page is.
     *
     * @param position in the file
     * @param from the page's {@link RunPage#from} when it was written
     * @param version of what is written there: no two writes have the same
     */
    record Place(long position, long from, long version) {}

    /** What is written where; nobody changes the rows any more. */
    record Image(Place place, RunRows rows) {}

    /**
     * What came of a read.
     *
     * @param rows null when they were not read
     * @param isDamaged whether they never will be
     */
    record Answer(@Nullable RunRows rows, boolean isDamaged) {
        /** What was there is lost. */
        public static final Answer DAMAGED = new Answer(null, true);

        /** The device did not answer, this time. */
        public static final Answer UNREADABLE = new Answer(null, false);
    }
}
