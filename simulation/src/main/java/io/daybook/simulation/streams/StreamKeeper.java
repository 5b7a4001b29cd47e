// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Violation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that looks after a stream: it truncates now and then, asks for the last record, may be elected to remove what was truncated, and searches for ledgers
 * that belong to no stream.
 *
 * <p><i>States:</i> resting → busy → resting …; done when its truncations are tried or the faults have ended.
 */
public final class StreamKeeper extends StreamProgram {
    private static final List<Compression> COMPRESSIONS = List.of(Compression.values());
    private static final Duration PASS = Duration.ofSeconds(1);
    private static final Duration ORPHANS = Duration.ofSeconds(3);

    private final long restNanos;
    private final SimulatedRandom ways;
    private int tried;
    private int changes;
    /** The options that it has stored last; null while it does not know. */
    private @Nullable StreamOptions stored;

    private boolean isBusy;

    /** A keeper that rests for about {@code restNanos} between two things. */
    public StreamKeeper(ClientNode node, StreamScene scene, long restNanos) {
        super(node, scene, "keeper");
        this.restNanos = restNanos;
        this.ways = scene.random("options");
    }

    @Override
    public boolean isDone() {
        return !isBusy
                && (scene().stage().isHealed()
                        || (tried >= scene().plan().truncations()
                                && changes >= scene().plan().ways().optionChanges()));
    }

    @Override
    public String describe() {
        return node().machine() + " has not ended what it does with stream " + scene().name();
    }

    @Override
    void begun(StreamsNamespace opened) {
        opened.maintain(new MaintenanceConfig(true, PASS, ORPHANS), report -> {
            if (report.deletionsFinished() > 0) {
                scene().count(StreamSituations.DELETION_FINISHED);
            }
            if (report.orphansDeleted() > 0) {
                scene().count(StreamSituations.ORPHAN_DELETED);
            }
        });
    }

    @Override
    void ended() {
        isBusy = false;
    }

    @Override
    void opened(LogStream stream) {
        rest(stream);
    }

    private void rest(LogStream stream) {
        isBusy = false;
        later(restNanos, () -> act(stream));
    }

    private void act(LogStream stream) {
        if (scene().stage().isHealed()) {
            return;
        }
        if (changes < scene().plan().ways().optionChanges() && ways.below(3) == 0) {
            changeOptions(stream);
        } else if (stored != null && ways.below(4) == 0) {
            askForOptions(stream, stored);
        } else if (tried < scene().plan().truncations() && random().below(2) == 0) {
            scene().anyPosition(random(), stream.name())
                    .ifPresentOrElse(to -> truncate(stream, to), () -> rest(stream));
        } else {
            askForLast(stream);
        }
    }

    private void truncate(LogStream stream, DLSN to) {
        isBusy = true;
        tried++;
        scene().truncating(new Place(stream.name(), to));
        Truncate detail = new Truncate(stream.name(), to);
        int call = scene().begin(newHandle(), detail);
        stream.truncate(to).whenComplete((kept, failure) -> {
            // Whoever is not told that it was done may have done it.
            Result result = scene().resultOf(failure, new Place(stream.name(), to));
            scene().end(call, result == Result.OK ? Result.OK : Result.UNKNOWN, detail);
            if (Failures.rootOf(failure) instanceof StreamException.ForeignPosition) {
                scene().countForeign(new Place(stream.name(), to));
            }
            goOn(stream, failure);
        });
    }

    /** Nobody else changes them; what is tried without an answer may come late. */
    private void changeOptions(LogStream stream) {
        isBusy = true;
        changes++;
        stored = null;
        StreamOptions next = scene().plan()
                .options()
                .withSegmentBounds(
                        Duration.ofMillis(ways.nextBelow(2) * (1 + ways.nextBelow(1000))), 100 + ways.below(10_000))
                .withCompression(COMPRESSIONS.get(ways.below(COMPRESSIONS.size())));
        stream.changeOptions(next).whenComplete((changed, failure) -> {
            scene().resultOf(failure);
            if (failure == null) {
                scene().count(StreamSituations.OPTIONS_CHANGED);
                stored = scene().plan().deletions() == 0 ? next : null;
            }
            goOn(stream, failure);
        });
    }

    private void askForOptions(LogStream stream, StreamOptions expected) {
        isBusy = true;
        stream.status().whenComplete((status, failure) -> {
            scene().resultOf(failure);
            if (failure == null && !status.options().equals(expected)) {
                String text = "stream=" + scene().name() + " has " + status.options() + " and not " + expected;
                scene().stage().violations().add(new Violation("options", -1, -1, text));
            }
            goOn(stream, failure);
        });
    }

    private void askForLast(LogStream stream) {
        isBusy = true;
        int call = scene().begin(newHandle(), new Last(stream.name(), DLSN.BEFORE_ALL));
        stream.lastRecord().whenComplete((found, failure) -> {
            Result result = scene().resultOf(failure);
            DLSN position =
                    failure == null ? found.map(PositionedRecord::position).orElse(DLSN.BEFORE_ALL) : DLSN.BEFORE_ALL;
            scene().end(call, result, new Last(stream.name(), position));
            goOn(stream, failure);
        });
    }

    /** A stream that was deleted stays so, and one that has left the name is told where it is: what is there next is opened anew. */
    private void goOn(LogStream stream, @Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof StreamException.StreamNotFound || root instanceof StreamException.StreamRenamed) {
            isBusy = false;
            follow(failure, null);
            openLater();
        } else {
            rest(stream);
        }
    }
}
