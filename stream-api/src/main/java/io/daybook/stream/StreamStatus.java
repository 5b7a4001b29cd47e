// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a stream was at one moment.
 *
 * @param epoch how often it was taken over
 * @param isSealed whether it has ended for ever
 * @param segments its newest segments (up to 1000), in order
 */
public record StreamStatus(
        String name,
        StreamOptions options,
        long epoch,
        boolean isSealed,
        String owner,
        Instant created,
        List<Segment> segments) {
    /** Copies the list. */
    public StreamStatus {
        segments = List.copyOf(segments);
    }

    /**
     * One log segment.
     *
     * @param state {@code in-progress}, {@code completed} or {@code truncated}
     * @param recordCount records in a completed segment; empty while it is in progress
     * @param lastTransactionId of a completed segment that is not empty
     * @param payloadBytes of a completed segment
     */
    public record Segment(
            long number,
            long ledgerId,
            String state,
            Optional<Long> recordCount,
            Optional<Long> firstTransactionId,
            Optional<Long> lastTransactionId,
            Optional<Long> payloadBytes,
            Instant created) {}
}
