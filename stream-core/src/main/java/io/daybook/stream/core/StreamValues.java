// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.core.position.StartResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Translates between what applications say of a stream and what metadata keeps of it. */
final class StreamValues {
    private StreamValues() {}

    static StreamSettings settings(StreamOptions options) {
        return new StreamSettings(
                new Quorums(options.ensembleSize(), options.writeQuorum(), options.ackQuorum()),
                DigestType.valueOf(options.digest().name()),
                StreamSettings.TransactionIdMode.valueOf(
                        options.transactionIdMode().name()),
                millis(options.segmentAgeMax()),
                options.segmentBytesMax(),
                millis(options.retentionAge()),
                options.retentionBytes(),
                StreamSettings.Compression.valueOf(options.compression().name()));
    }

    /** A time above zero stays above zero, which would mean another thing. */
    private static long millis(Duration time) {
        return time.isZero() ? 0 : Math.max(1, time.toMillis());
    }

    private static StreamOptions options(StreamSettings settings) {
        Quorums quorums = settings.quorums();
        return new StreamOptions(
                quorums.ensembleSize(),
                quorums.writeQuorum(),
                quorums.ackQuorum(),
                StreamOptions.TransactionIdMode.valueOf(
                        settings.transactionIdMode().name()),
                Duration.ofMillis(settings.segmentMillisMax()),
                settings.segmentBytesMax(),
                Duration.ofMillis(settings.retentionMillis()),
                settings.retentionBytes(),
                StreamOptions.Compression.valueOf(settings.compression().name()),
                StreamOptions.Digest.valueOf(settings.digest().name()));
    }

    /** A stream without segments; where their numbers begin is for the store to say. */
    static StreamMetadata newHead(
            String name, StreamSettings settings, WriteToken incarnation, long nowMillis, WriteToken token) {
        long origin = StreamMetadata.FIRST_ORIGIN;
        return new StreamMetadata(
                name,
                incarnation,
                StreamMetadata.Home.of(incarnation),
                StreamMetadata.State.ACTIVE,
                settings,
                0,
                origin,
                origin,
                origin,
                0,
                0,
                0,
                -1,
                "",
                nowMillis,
                token);
    }

    static StreamStatus status(
            StreamMetadata head, List<SegmentMetadata> segments, Optional<StreamStatus.Records> records) {
        return new StreamStatus(
                head.name(),
                options(head.settings()),
                head.epoch(),
                head.state() == StreamMetadata.State.SEALED,
                head.owner(),
                Instant.ofEpochMilli(head.createdMillis()),
                StartResolver.firstKept(head),
                records,
                segments.stream().map(StreamValues::segment).toList());
    }

    private static StreamStatus.Segment segment(SegmentMetadata segment) {
        boolean isComplete = segment.state() != SegmentMetadata.State.IN_PROGRESS;
        boolean hasRecords = isComplete && segment.recordCount() > 0;
        return new StreamStatus.Segment(
                segment.number(),
                segment.ledgerId(),
                switch (segment.state()) {
                    case IN_PROGRESS -> "in-progress";
                    case COMPLETED -> "completed";
                    case TRUNCATED -> "truncated";
                },
                isComplete ? Optional.of(segment.recordCount()) : Optional.empty(),
                hasRecords ? Optional.of(segment.firstTransactionId()) : Optional.empty(),
                hasRecords ? Optional.of(segment.lastTransactionId()) : Optional.empty(),
                isComplete ? Optional.of(segment.payloadBytes()) : Optional.empty(),
                Instant.ofEpochMilli(segment.createdMillis()));
    }
}
