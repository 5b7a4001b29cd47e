// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.LogStream;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.Delete;
import org.jspecify.annotations.Nullable;

/**
 * A program that deletes a stream now and then, whoever writes and reads it. What it begins it tries again until it is told that there is no stream of the name: meanwhile others may
 * finish it, and make the stream again.
 *
 * <p><i>States:</i> resting → deleting → resting …; done when all deletions of the scene are tried, or the faults have ended, and it knows of each of its own what came of it.
 */
public final class StreamDeleter extends StreamProgram {
    private static final int AGAIN_ONE_IN = 4;

    private final long restNanos;
    private @Nullable StreamsNamespace namespace;
    private boolean owesDeletion;

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
    }

    @Override
    void opened(LogStream stream) {
        rest();
    }

    private void rest() {
        later(owesDeletion ? restNanos / AGAIN_ONE_IN : restNanos, this::act);
    }

    private void act() {
        StreamsNamespace current = namespace;
        if (current == null || isDone()) {
            return;
        }
        if (owesDeletion || scene().tryDeletion()) {
            owesDeletion = true;
            delete(current);
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
}
