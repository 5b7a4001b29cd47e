// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that reads a stream from its beginning, batch after batch. When its reader fails or its process ends it goes on after the last record it saw; when that
 * was truncated it begins anew.
 *
 * <p><i>States:</i> opening → polling …; done when the owners are done and it was told of the end, or that nothing more is there.
 */
public final class StreamFollower extends StreamProgram {
    private static final int BATCH_MAX = 40;
    private static final int WAIT_MILLIS_MAX = 300;
    private static final int REOPEN_ONE_IN = 40;

    private @Nullable DLSN last;
    private boolean isDone;
    private int readers;

    /** A reader of its stream. */
    public StreamFollower(ClientNode node, StreamScene scene, int number) {
        super(node, scene, "follower" + number);
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    @Override
    public String describe() {
        return node().machine() + " has read stream " + scene().name() + " up to " + last;
    }

    @Override
    void ended() {
        readers++;
    }

    @Override
    void opened(LogStream stream) {
        readers++;
        int present = readers;
        String process = newHandle();
        StartPosition start = start();
        int call = scene().begin(process, new Poll(scene().name(), start, List.of(), Found.RECORDS));
        stream.openReader(start).whenComplete((reader, failure) -> {
            if (failure == null) {
                poll(new Reading(reader, process, present), call, start);
            } else {
                failed(call, start, failure);
            }
        });
    }

    private record Reading(LogReader reader, String process, int number) {}

    private StartPosition start() {
        DLSN position = last;
        if (position == null) {
            return StartPosition.earliest();
        }
        return random().below(8) == 0 ? StartPosition.at(position) : StartPosition.after(position);
    }

    private void poll(Reading reading, int call, @Nullable StartPosition start) {
        Duration waitMax = Duration.ofMillis(random().below(WAIT_MILLIS_MAX));
        boolean ownersWereDone = scene().areOwnersDone();
        reading.reader().nextBatch(1 + random().below(BATCH_MAX), waitMax).whenComplete((result, failure) -> {
            if (failure != null) {
                reading.reader().close();
                failed(call, start, failure);
                return;
            }
            boolean ended = result instanceof ReadResult.Ended;
            List<Seen> records = result instanceof ReadResult.Records some
                    ? some.list().stream().map(scene()::seen).toList()
                    : List.of();
            scene().end(call, Result.OK, new Poll(scene().name(), start, records, ended ? Found.ENDED : Found.RECORDS));
            if (!records.isEmpty()) {
                last = records.get(records.size() - 1).position();
            }
            boolean nothingMore = ownersWereDone && !scene().isSealed() && result instanceof ReadResult.CaughtUp;
            goOn(reading, ended || nothingMore);
        });
    }

    private void goOn(Reading reading, boolean isOver) {
        if (isOver || reading.number() != readers) {
            reading.reader().close();
            if (isOver) {
                isDone = true;
                finish();
            }
        } else if (random().below(REOPEN_ONE_IN) == 0) {
            reading.reader().close();
            open();
        } else {
            poll(
                    reading,
                    scene().begin(reading.process(), new Poll(scene().name(), null, List.of(), Found.RECORDS)),
                    null);
        }
    }

    private void failed(int call, @Nullable StartPosition start, Throwable failure) {
        boolean isTruncated = Failures.rootOf(failure) instanceof StreamException.Truncated;
        if (isTruncated) {
            last = null;
            scene().end(call, Result.OK, new Poll(scene().name(), start, List.of(), Found.TRUNCATED));
        } else {
            scene().end(call, scene().resultOf(failure), new Poll(scene().name(), start, List.of(), Found.RECORDS));
        }
        openLater();
    }
}
