// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Stay;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.LogStream;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.Violation;
import org.jspecify.annotations.Nullable;

/**
 * A program that deletes a stream now and then, whoever writes and reads it. What it begins it tries again until it is told that there is no stream of the name: meanwhile others may
 * finish it, and make the stream again. One that gets other names too it deletes under the name under which it finds it, often while somebody renames it; it leaves it alone when it is told
 * that it has another name.
 *
 * <p><i>States:</i> resting → looking for it, where it has several names → deleting → resting …; done when all deletions of the scene are tried, or the faults have ended, and it knows of each of
 * its own what came of it.
 */
public final class StreamDeleter extends StreamProgram {
    private static final int AGAIN_ONE_IN = 4;
    private static final int ALONE_ONE_IN = 4;
    /** Some of its doublings are about the time of a rename that nothing hinders. */
    private static final long MEETING_NANOS = 8_000_000L;

    private static final int MEETING_DOUBLINGS_MAX = 6;

    private final long restNanos;
    private @Nullable StreamsNamespace namespace;
    private boolean owesDeletion;
    /** What it has begun to delete; null while it does not know the name. */
    private @Nullable String target;

    private int rests;

    /** Deleter {@code number} of its stream, which rests for about {@code restNanos} between two deletions. */
    public StreamDeleter(ClientNode node, StreamScene scene, int number, long restNanos) {
        super(node, scene, "deleter" + number);
        this.restNanos = restNanos;
    }

    @Override
    public boolean isDone() {
        return !owesDeletion
                && (scene().stage().isHealed()
                        || scene().deletionsTried() >= scene().plan().deletions());
    }

    @Override
    public String describe() {
        return node().machine() + " has not deleted stream " + scene().name();
    }

    @Override
    void begun(StreamsNamespace opened) {
        namespace = opened;
    }

    @Override
    void ended() {
        namespace = null;
        rests++;
    }

    @Override
    void opened(LogStream stream) {
        StreamsNamespace current = namespace;
        if (scene().isRenamed() && owesDeletion && current != null) {
            String name = target == null ? stream.name() : target;
            target = name;
            delete(current, name);
        } else {
            rest();
        }
    }

    private void rest() {
        rests++;
        int present = rests;
        boolean meets =
                scene().isRenamed() && !owesDeletion && scene().areRenamesLeft() && random().below(ALONE_ONE_IN) > 0;
        if (meets) {
            long nanos = MEETING_NANOS << random().below(MEETING_DOUBLINGS_MAX);
            scene().atNextRename(() -> later(nanos, () -> act(present)));
        }
        later(owesDeletion ? restNanos / AGAIN_ONE_IN : restNanos, () -> act(present));
    }

    private void act(int rest) {
        StreamsNamespace current = namespace;
        if (rest != rests || current == null || isDone()) {
            return;
        }
        rests++;
        if (!owesDeletion && !scene().tryDeletion()) {
            return;
        }
        owesDeletion = true;
        if (!scene().isRenamed()) {
            delete(current);
        } else if (target != null) {
            delete(current, target);
        } else {
            open();
        }
    }

    private void delete(StreamsNamespace current) {
        Delete detail = new Delete(scene().name());
        int call = scene().begin(newHandle(), detail);
        current.delete(scene().name()).whenComplete((deleted, failure) -> {
            boolean isGone = failure == null || scene().isGone(failure);
            scene().resultOf(failure);
            // Whoever is not told that it was done may have done it.
            scene().end(call, isGone ? Result.OK : Result.UNKNOWN, detail);
            if (isGone) {
                owesDeletion = false;
                scene().deleted();
            }
            rest();
        });
    }

    // ---- where it is renamed too ----

    /** What was deleted when the metadata store tells; here it is judged what is told of it. */
    private void delete(StreamsNamespace current, String name) {
        long askedNanos = scene().stage().world().nanoTime();
        Asked asked = scene().names().asked(name);
        current.delete(name).whenComplete((deleted, failure) -> {
            Throwable root = Failures.rootOf(failure);
            judge(failure, asked, askedNanos);
            boolean isElsewhere = root instanceof StreamException.StreamRenamed;
            if (failure == null || isElsewhere || root instanceof StreamException.StreamNotFound) {
                target = null;
                owesDeletion = false;
                scene().deletionSettled();
            }
            if (root instanceof StreamException.StreamRenamed told) {
                follow(told.newName());
            }
            rest();
        });
    }

    private void judge(@Nullable Throwable failure, Asked asked, long askedNanos) {
        Throwable root = Failures.rootOf(failure);
        boolean isElsewhere = root instanceof StreamException.StreamRenamed;
        Stay stay = asked.stay();
        if (failure == null && !scene().names().isRemovedSince(asked.name(), askedNanos)) {
            wrong(asked.name(), "was deleted, and none of that name was gone since");
        } else {
            scene().resultOf(failure, asked);
        }
        if ((isElsewhere || root instanceof StreamException.StreamNotFound) && stay != null && stay.isLeft()) {
            scene().count(StreamSituations.DELETION_MET_RENAME);
        }
    }

    private void wrong(String name, String text) {
        scene().stage()
                .violations()
                .add(new Violation(
                        "delete-safe",
                        -1,
                        -1,
                        "stream=" + name + ": " + node().machine() + " was told that it " + text));
    }
}
