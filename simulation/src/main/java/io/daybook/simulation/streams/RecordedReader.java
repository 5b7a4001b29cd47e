// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader whose polls are in the history. */
final class RecordedReader {
    private static final int BATCH_MAX = 40;
    private static final int WAIT_MILLIS_MAX = 300;

    private final StreamScene scene;
    private final SimulatedRandom random;
    private final String process;
    private final LogReader reader;
    private final String stream;
    /** How often the stream had another name, or was another, when it was opened. */
    private final int changes;

    private @Nullable Place last;

    RecordedReader(StreamScene scene, SimulatedRandom random, String process, LogReader reader) {
        this.scene = scene;
        this.random = random;
        this.process = process;
        this.reader = reader;
        this.stream = reader.streamName();
        this.changes = scene.names().changes();
    }

    /**
     * What came of a poll.
     *
     * @param last the place of the last record that the reader has returned, in this poll or before; null for none
     * @param hasRead whether this poll returned records
     * @param isOver whether nothing more is there, nor will be
     * @param failure why it failed, null when it did not
     */
    record Polled(
            @Nullable Place last,
            boolean hasRead,
            boolean isOver,
            @Nullable Throwable failure) {}

    /** Begins the call of a first poll, before the reader is opened; the place may be told at its end. */
    static int begin(StreamScene scene, String stream, String process, StartPosition start) {
        return scene.begin(process, new Poll(stream, start, List.of(), Found.RECORDS));
    }

    /** Ends a first poll of which nothing was asked but its place. */
    static void began(StreamScene scene, String stream, int call, StartPosition start) {
        scene.end(call, Result.OK, new Poll(stream, start, List.of(), Found.RECORDS));
    }

    /** Ends a first poll that opening has failed. */
    static void failed(StreamScene scene, String stream, int call, @Nullable StartPosition start, Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        Place given = new Place(stream, positionOf(start));
        Found found = Found.RECORDS;
        if (root instanceof StreamException.Truncated) {
            found = Found.TRUNCATED;
        } else if (root instanceof StreamException.ForeignPosition) {
            scene.countForeign(given);
            found = Found.FOREIGN;
        }
        Result result = scene.resultOf(failure, given);
        scene.end(call, found == Found.RECORDS ? result : Result.OK, new Poll(stream, start, List.of(), found));
    }

    /** The position at a place; {@link DLSN#BEFORE_ALL} for none. */
    private static DLSN positionOf(@Nullable StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return at.position();
        }
        return start instanceof StartPosition.After after ? after.position() : DLSN.BEFORE_ALL;
    }

    /** The first poll, which began at {@code start}. */
    void pollFirst(int call, StartPosition start, Consumer<Polled> then) {
        poll(call, start, then);
    }

    /** One more. */
    void poll(Consumer<Polled> then) {
        poll(scene.begin(process, new Poll(stream, null, List.of(), Found.RECORDS)), null, then);
    }

    private void poll(int call, @Nullable StartPosition start, Consumer<Polled> then) {
        Duration waitMax = Duration.ofMillis(random.below(WAIT_MILLIS_MAX));
        boolean areWritersDone = scene.areOwnersDone() && scene.areDeletionsDone();
        reader.nextBatch(1 + random.below(BATCH_MAX), waitMax).whenComplete((result, failure) -> {
            if (failure != null) {
                reader.close();
                if (scene.isGone(failure)) {
                    scene.count(StreamSituations.DELETED_UNDER_READER);
                }
                if (Failures.rootOf(failure) instanceof StreamException.StreamRenamed) {
                    scene.count(StreamSituations.RENAMED_UNDER_READER);
                }
                failed(scene, stream, call, start, failure);
                then.accept(new Polled(last, false, false, failure));
                return;
            }
            boolean ended = result instanceof ReadResult.Ended;
            List<PositionedRecord> read = result instanceof ReadResult.Records some ? some.list() : List.of();
            List<Seen> records =
                    read.stream().map(record -> scene.seen(stream, record)).toList();
            scene.end(call, Result.OK, new Poll(stream, start, records, ended ? Found.ENDED : Found.RECORDS));
            // Who reads under a name that the stream has left, or one that is gone, is to be told so.
            boolean nothingMore = areWritersDone
                    && !scene.mustBeToldOfTheEnd()
                    && changes == scene.names().changes()
                    && result instanceof ReadResult.CaughtUp;
            if (!read.isEmpty()) {
                last = new Place(stream, read.get(read.size() - 1).position());
            }
            then.accept(new Polled(last, !read.isEmpty(), ended || nothingMore, null));
        });
    }

    void close() {
        reader.close();
    }
}
