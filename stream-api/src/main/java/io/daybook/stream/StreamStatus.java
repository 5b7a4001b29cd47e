// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a stream was at one moment.
 *
 * @param name of the stream
 * @param options how it is kept
 * @param epoch how often it was taken over
 * @param isSealed whether it has ended for ever
 * @param owner a label of the present or last writer, empty for none
 * @param created when it was made, by its maker's clock
 * @param firstKept the first position that is not truncated
 * @param records what it holds; empty when too few bookies answered to tell, or when the entries have an HMAC and this program has another key or none
 * @param segments its newest segments (up to 1000), in order
 */
public record StreamStatus(
        String name,
        StreamOptions options,
        long epoch,
        boolean isSealed,
        String owner,
        Instant created,
        DLSN firstKept,
        Optional<Records> records,
        List<Segment> segments) {
    /**
     * Copies the list.
     *
     * @param name of the stream
     * @param options how it is kept
     * @param epoch how often it was taken over
     * @param isSealed whether it has ended for ever
     * @param owner a label of the present or last writer, empty for none
     * @param created when it was made, by its maker's clock
     * @param firstKept the first position that is not truncated
     * @param records what it holds; empty when too few bookies answered to tell, or when the entries have an HMAC and this program has another key or none
     * @param segments its newest segments (up to 1000), in order
     */
    public StreamStatus {
        segments = List.copyOf(segments);
    }

    /**
     * The readable records of a stream.
     *
     * @param count how many there are
     * @param first the first one, empty when there is none
     * @param last the last one, empty when there is none
     */
    public record Records(long count, Optional<Point> first, Optional<Point> last) {}

    /**
     * Where a record stands.
     *
     * @param position its position
     * @param sequenceId its gapless number in the stream, from 0
     * @param transactionId the application's own position
     */
    public record Point(DLSN position, long sequenceId, long transactionId) {}

    /**
     * One log segment.
     *
     * @param number rising by one from segment to segment
     * @param ledgerId the ledger in which it is
     * @param state {@code in-progress}, {@code completed} or {@code truncated}
     * @param recordCount records in a completed segment; empty while it is in progress
     * @param firstTransactionId of a completed segment that is not empty
     * @param lastTransactionId of a completed segment that is not empty
     * @param payloadBytes of a completed segment
     * @param created when it was begun, by its writer's clock
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
