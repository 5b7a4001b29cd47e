// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.streams.StreamNames.Stay;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace.Renamed;
import io.daybook.stream.StreamException;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.testkit.check.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A program that gives a stream another name now and then, whoever writes and reads it: one that it never had, or one that it had before. It takes the stream over from its owner, or waits
 * for a moment.
 *
 * <p><i>States:</i> resting → renaming → resting …; after a rename of which it does not know what came it rests until none of that can come any more. Done when all renames of the
 * scene are tried, or the faults have ended.
 */
public final class StreamRenamer extends StreamProgram {
    private static final int WAIT_MILLIS_MAX = 500;
    private static final int WAITING_ONE_IN = 4;
    /** Longer than any request travels. */
    private static final long SETTLE_NANOS = 3_000_000_000L;

    private final long restNanos;
    private @Nullable StreamsNamespace namespace;
    private boolean mayRename;

    /** Renamer {@code number} of its stream, which rests for about {@code restNanos} between two renames. */
    public StreamRenamer(ClientNode node, StreamScene scene, int number, long restNanos) {
        super(node, scene, "renamer" + number);
        this.restNanos = restNanos;
    }

    @Override
    public boolean isDone() {
        return !mayRename && (scene().stage().isHealed() || !scene().areRenamesLeft());
    }

    @Override
    public String describe() {
        return node().machine() + " has not renamed stream " + scene().name();
    }

    @Override
    void begun(StreamsNamespace opened) {
        namespace = opened;
    }

    @Override
    void ended() {
        namespace = null;
    }

    @Override
    void opened(LogStream stream) {
        if (mayRename) {
            settle();
        } else {
            rest();
        }
    }

    /** What was asked for, and of which nobody knows what came, comes now or never. */
    private void settle() {
        scene().count(StreamSituations.RENAME_UNKNOWN);
        node().later(SETTLE_NANOS, () -> {
            settled();
            open();
        });
    }

    private void settled() {
        if (mayRename) {
            mayRename = false;
            scene().renameSettled();
        }
    }

    private void rest() {
        later(restNanos, this::act);
    }

    private void act() {
        StreamsNamespace current = namespace;
        if (current != null && !isDone() && scene().tryRename()) {
            mayRename = true;
            List<String> others = scene().names().all().stream()
                    .filter(other -> !other.equals(streamName()))
                    .toList();
            rename(current, streamName(), others.get(random().below(others.size())));
        }
    }

    private void rename(StreamsNamespace current, String from, String to) {
        // Who waits mostly waits in vain, and a stream that is deleted too does not stay for long.
        boolean takesOver = scene().isRenamedAndDeleted() ? random().below(WAITING_ONE_IN) > 0 : random().below(2) == 0;
        WriterOptions ownership = takesOver
                ? WriterOptions.DEFAULT.takingOver()
                : WriterOptions.DEFAULT.waitingFor(Duration.ofMillis(random().below(WAIT_MILLIS_MAX)));
        long askedNanos = scene().stage().world().nanoTime();
        int tries = scene().renamesTried();
        boolean isAlone = scene().renamesUnderWay() == 1;
        Asked asked = scene().names().asked(from);
        int changes = scene().names().changes();
        boolean mayExist = !scene().names().stayed(asked) || scene().names().has(to);
        current.rename(from, to, ownership).whenComplete((renamed, failure) -> {
            boolean isTaken = mayExist || changes != scene().names().changes();
            judge(failure, asked, isTaken || scene().names().has(to));
            Optional<List<Stay>> made = scene().names().rename(from, to, askedNanos);
            if (failure == null) {
                told(renamed, from, made);
                settled();
                follow(to);
                rest();
            } else if (Failures.rootOf(failure) instanceof StreamException.Unavailable) {
                settle();
            } else {
                boolean isThere = made.isPresent() && !made.get().get(1).isBeingDeleted();
                if (isAlone && tries == scene().renamesTried() && isThere) {
                    wrong("was renamed from " + from + " to " + to + ", and " + node().machine() + " was told "
                            + failure);
                }
                settled();
                if (Failures.rootOf(failure) instanceof StreamException.StreamRenamed told) {
                    follow(told.newName());
                }
                open();
            }
        });
    }

    /** A stream has the new name only where this one has had it, or was gone. */
    private void judge(@Nullable Throwable failure, Asked asked, boolean mayExist) {
        Throwable root = Failures.rootOf(failure);
        boolean isThere = root instanceof StreamException.StreamExists
                && (mayExist || !scene().names().stayed(asked));
        if (!isThere) {
            scene().resultOf(failure, asked);
        }
        Stay stay = asked.stay();
        if (root instanceof StreamException.StreamNotFound && stay != null && stay.isBeingDeleted()) {
            scene().count(StreamSituations.RENAME_MET_DELETION);
        }
    }

    /** What it was told holds for every position. */
    private void told(Renamed renamed, String from, Optional<List<Stay>> made) {
        if (made.isEmpty()) {
            wrong("was not renamed from " + from + " to " + renamed.name() + ", as " + node().machine() + " was told");
            return;
        }
        Place first = made.get().get(0).begin();
        scene().translated(newHandle(), first, new Place(renamed.name(), renamed.position(first.position())));
    }

    private void wrong(String text) {
        scene().stage().violations().add(new Violation("rename-safe", -1, -1, "stream=" + scene().name() + ' ' + text));
    }
}
