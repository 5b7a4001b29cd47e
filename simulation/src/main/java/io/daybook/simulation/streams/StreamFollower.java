// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.simulation.streams.RecordedReader.Polled;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import org.jspecify.annotations.Nullable;

/**
 * A program that reads a stream from its beginning, batch after batch. When its reader fails or its process ends it goes on after the last record it saw; when that
 * was truncated, or is of a stream that was deleted, it begins anew.
 *
 * <p><i>States:</i> opening → polling …; done when the owners are done and it was told of the end, or that nothing more is there.
 */
public final class StreamFollower extends StreamProgram {
    private static final int REOPEN_ONE_IN = 40;

    private @Nullable Place last;
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
        StartPosition start = start(stream.name());
        int call = RecordedReader.begin(scene(), stream.name(), process, start);
        stream.openReader(start).whenComplete((opened, failure) -> {
            if (failure == null) {
                RecordedReader reader = new RecordedReader(scene(), random(), process, opened);
                reader.pollFirst(call, start, polled -> polled(reader, present, polled));
            } else {
                RecordedReader.failed(scene(), stream.name(), call, start, failure);
                follow(failure, null);
                failed(failure);
            }
        });
    }

    private StartPosition start(String under) {
        Place place = last;
        if (place == null) {
            return StartPosition.earliest();
        }
        DLSN position = scene().position(place, random(), under);
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
