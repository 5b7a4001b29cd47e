// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.List;

/** What a batch read found. */
public sealed interface ReadResult {
    /**
     * Records, at least one, in order.
     *
     * @param list the records
     */
    record Records(List<PositionedRecord> list) implements ReadResult {
        /**
         * Copies the list.
         *
         * @param list the records
         */
        public Records {
            list = List.copyOf(list);
        }
    }

    /** Nothing new came within the time given: the reader has seen every record that was readable. */
    record CaughtUp() implements ReadResult {}

    /** The stream is sealed and every record was read; nothing will ever follow. */
    record Ended() implements ReadResult {}
}
