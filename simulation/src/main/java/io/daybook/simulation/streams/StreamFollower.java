// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.NodeClock;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.StreamPlan;
import io.daybook.simulation.streams.RecordedReader.Polled;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A program that reads a stream from its beginning, batch after batch. When its reader fails or its process ends it goes on after the last record it saw; when that
 * was truncated, or is of a stream that was deleted, it begins anew.
 *
 * <p><i>States:</i> opening → polling …; done when the owners are done and it was told of the end, or that nothing more is there.
 */
public final class StreamFollower extends StreamProgram {
    private static final int REOPEN_ONE_IN = 40;
    private static final int SEEK_ONE_IN = 3;
    private static final List<String> SEEKS = List.of(
            StreamSituations.READ_FROM_LATEST,
            StreamSituations.READ_FROM_TRANSACTION_ID,
            StreamSituations.READ_FROM_TIME);

    private @Nullable Place last;
    private boolean isDone;
    private int readers;
    private final SimulatedRandom seeks;
    /** The situation when the present reader reads; null for none. */
    private @Nullable String sought;

    /** A reader of its stream. */
    public StreamFollower(ClientNode node, StreamScene scene, int number) {
        super(node, scene, "follower" + number);
        this.seeks = scene.random("seeks of follower" + number);
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
        String situation = drawSeek();
        sought = situation;
        StartPosition start = situation == null ? start(stream.name()) : seek(situation);
        StartPosition told = start instanceof StartPosition.AtTime at ? asTold(at) : start;
        int call = RecordedReader.begin(scene(), stream.name(), process, told);
        stream.openReader(start).whenComplete((opened, failure) -> {
            if (failure != null) {
                RecordedReader.failed(scene(), stream.name(), call, told, failure);
                follow(failure, null);
                failed(failure);
                return;
            }
            RecordedReader reader = new RecordedReader(scene(), random(), process, opened);
            if (situation == null) {
                reader.pollFirst(call, start, polled -> polled(reader, present, polled));
            } else {
                // When it was open matters for what it reads first.
                RecordedReader.began(scene(), stream.name(), call, told);
                reader.poll(polled -> polled(reader, present, polled));
            }
        });
    }

    /** Where else than at a position this reader begins, by the situation when it reads; null for nowhere. */
    private @Nullable String drawSeek() {
        StreamPlan plan = scene().plan();
        if (!plan.ways().hasSeeks() || seeks.below(SEEK_ONE_IN) > 0) {
            return null;
        }
        String drawn = SEEKS.get(seeks.below(SEEKS.size()));
        boolean isLatest = drawn.equals(StreamSituations.READ_FROM_LATEST);
        // The end is told exactly where a write quorum has no two ack quorums. Ids and times of a stream that was
        // deleted tell nothing of the next one.
        boolean isExact =
                isLatest ? 2 * plan.quorums().ackQuorum() > plan.quorums().writeQuorum() : plan.deletions() == 0;
        return isExact ? drawn : null;
    }

    private StartPosition seek(String situation) {
        long nanos = seeks.nextBelow(scene().stage().world().nanoTime() + 1);
        return switch (situation) {
            case StreamSituations.READ_FROM_LATEST -> StartPosition.latest();
            case StreamSituations.READ_FROM_TRANSACTION_ID ->
                StartPosition.atTransactionId(seeks.nextBelow(scene().transactionIdMax() + 2));
            default -> StartPosition.atTime(Instant.ofEpochMilli(NodeClock.trueWallMillis(nanos)));
        };
    }

    /** The history has a clock of its own. */
    private static StartPosition asTold(StartPosition.AtTime at) {
        return StartPosition.atTime(at.time().minusMillis(NodeClock.WALL_ORIGIN_MILLIS));
    }

    private StartPosition start(String under) {
        Place place = last;
        if (place == null) {
            return StartPosition.earliest();
        }
        Optional<DLSN> told = scene().position(place, random(), under);
        if (told.isEmpty()) {
            return StartPosition.earliest();
        }
        DLSN position = told.get();
        return switch (random().below(8)) {
            case 0 -> StartPosition.at(position);
            case 1 -> StartPosition.after(position).orEarliest();
            default -> StartPosition.after(position);
        };
    }

    private void polled(RecordedReader reader, int number, Polled polled) {
        if (polled.failure() != null) {
            follow(polled.failure(), polled.last());
            failed(polled.failure());
            return;
        }
        last = polled.last() == null ? last : polled.last();
        if (sought != null && polled.hasRead()) {
            scene().count(sought);
            sought = null;
        }
        if (polled.isOver() || number != readers) {
            reader.close();
            if (polled.isOver()) {
                isDone = true;
                finish();
            }
        } else if (random().below(REOPEN_ONE_IN) == 0) {
            reader.close();
            open();
        } else {
            reader.poll(next -> polled(reader, number, next));
        }
    }

    private void failed(Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof StreamException.Truncated || root instanceof StreamException.ForeignPosition) {
            last = null;
        }
        openLater();
    }
}
