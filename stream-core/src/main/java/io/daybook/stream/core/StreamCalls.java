// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.StreamStatus.Point;
import io.daybook.stream.StreamStatus.Records;
import io.daybook.stream.core.maintenance.Truncation;
import io.daybook.stream.core.position.LastRecord;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is asked of one stream, and changed of it, without writing or reading it through. <i>Threading:</i> any thread. */
final class StreamCalls {
    private static final int ATTEMPTS_MAX = 20;

    private final StreamsNamespace namespace;
    private final StreamEnvironment control;

    StreamCalls(StreamsNamespace namespace) {
        this.namespace = namespace;
        this.control = namespace.control();
    }

    CompletableFuture<DLSN> truncate(StreamMetadata known, DLSN firstKept) {
        return namespace.call(known.name(), "truncate it", () -> new Truncation(control, known).below(firstKept));
    }

    CompletableFuture<Optional<PositionedRecord>> find(StreamMetadata known, StartPosition start) {
        return find(known, start, ATTEMPTS_MAX);
    }

    /** Who gave no position is not told that one is truncated: what is cut off while it is looked for is followed by what is left. */
    private CompletableFuture<Optional<PositionedRecord>> find(
            StreamMetadata known, StartPosition start, int attemptsLeft) {
        boolean isOfCaller = start instanceof StartPosition.At
                || start instanceof StartPosition.After
                || start instanceof StartPosition.AtSubscription;
        return first(known, start)
                .exceptionallyCompose(failure ->
                        Failures.rootOf(failure) instanceof StreamException.Truncated && !isOfCaller && attemptsLeft > 1
                                ? find(known, start, attemptsLeft - 1)
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Optional<PositionedRecord>> first(StreamMetadata known, StartPosition start) {
        return namespace
                .openReader(known, start)
                .thenCompose(
                        reader -> reader.nextBatch(1, Duration.ZERO).whenComplete((result, failure) -> reader.close()))
                .thenApply(result -> result instanceof ReadResult.Records records
                        ? Optional.of(records.list().get(0))
                        : Optional.empty());
    }

    CompletableFuture<Optional<PositionedRecord>> lastRecord(StreamMetadata known) {
        return namespace.call(
                known.name(),
                "find its last record",
                () -> Retry.reading(control, () -> FreshHead.look(control, known, this::last)));
    }

    private CompletableFuture<Optional<PositionedRecord>> last(Versioned<StreamMetadata> head) {
        return new LastRecord(control, head.value().name()).find(head.value());
    }

    // ---- options ----

    CompletableFuture<Void> changeOptions(StreamMetadata known, StreamOptions options) {
        StreamSettings settings = StreamValues.settings(options);
        return namespace.call(
                known.name(),
                "change its options",
                () -> FreshHead.act(control, known, head -> change(head, settings, ATTEMPTS_MAX)));
    }

    /** Every try is for the stream of the first one: options are not for another one that has got the name since (S14). */
    private CompletableFuture<Void> change(Versioned<StreamMetadata> head, StreamSettings settings, int attemptsLeft) {
        StreamSettings present = head.value().settings();
        if (present.transactionIdMode() != settings.transactionIdMode()) {
            throw new StreamException.InvalidOptions("stream '" + head.value().name()
                    + "': its transaction id mode is " + present.transactionIdMode()
                    + " for good, since records that are stored obey it");
        }
        if (present.digest() != settings.digest()) {
            throw new StreamException.InvalidOptions(
                    "stream '" + head.value().name() + "': its digest is " + present.digest()
                            + " for good, since whoever writes it next must have the key of the records before");
        }
        if (present.equals(settings)) {
            return CompletableFuture.completedFuture(null);
        }
        StreamMetadata next = new HeadEdit(head.value()).settings(settings).build(control.freshToken());
        return control.onLoop(control.metadata().commit(new StreamChange(next, head.version(), List.of(), List.of())))
                .<Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> attemptsLeft > 1
                                && (StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                                        || StreamFailures.isMetadata(failure, MetadataException.Code.OUTCOME_UNKNOWN))
                        ? new Whereabouts(control, head.value())
                                .present()
                                .thenCompose(now -> change(now, settings, attemptsLeft - 1))
                        : CompletableFuture.failedFuture(failure));
    }

    // ---- status ----

    CompletableFuture<StreamStatus> status(StreamMetadata known) {
        CompletableFuture<Optional<Records>> records = records(known);
        return namespace.call(
                known.name(),
                "read its status",
                () -> FreshHead.look(
                        control,
                        known,
                        head -> new SegmentList(control, known.name())
                                .page(
                                        Math.max(0, head.value().nextSegmentNumber() - 1 - SegmentList.PAGE_COUNT),
                                        SegmentList.PAGE_COUNT)
                                .thenCombine(
                                        records,
                                        (segments, found) -> StreamValues.status(head.value(), segments, found))));
    }

    /** The last record first: what is truncated or appended meanwhile makes the count smaller or no difference, never negative. */
    private CompletableFuture<Optional<Records>> records(StreamMetadata known) {
        return namespace
                .call(known.name(), "find its last record", () -> FreshHead.look(control, known, this::last))
                .thenCompose(last -> last.isEmpty()
                        ? CompletableFuture.completedFuture(records(Optional.empty(), Optional.empty()))
                        : find(known, StartPosition.earliest()).thenApply(first -> records(first, last)))
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> {
                    StreamException told = StreamFailures.of(known.name(), "find its records", failure);
                    return told.isRetryable() || told instanceof StreamException.WrongKey
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : CompletableFuture.failedFuture(told);
                });
    }

    private static Records records(Optional<PositionedRecord> first, Optional<PositionedRecord> last) {
        if (first.isEmpty()
                || last.isEmpty()
                || first.get().sequenceId() > last.get().sequenceId()) {
            return new Records(0, Optional.empty(), Optional.empty());
        }
        long count = last.get().sequenceId() - first.get().sequenceId() + 1;
        return new Records(count, first.map(StreamCalls::point), last.map(StreamCalls::point));
    }

    private static Point point(PositionedRecord record) {
        return new Point(record.position(), record.sequenceId(), record.transactionId());
    }
}
