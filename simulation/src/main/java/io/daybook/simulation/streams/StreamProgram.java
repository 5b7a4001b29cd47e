// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.streams.StreamNames.Stay;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Workload;
import io.daybook.stream.LogStream;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.StreamsNamespace;
import org.jspecify.annotations.Nullable;

/**
 * What all programs around a stream do: open the namespace and the stream in each new process, rest between attempts, and follow the stream to other names: to the one that they are told, and
 * from one to the next where they are not.
 */
abstract class StreamProgram implements Workload {
    private static final long RETRY_NANOS = 100_000_000L;
    private static final long HEALED_REST_NANOS = 10_000_000L;
    private static final long REST_NANOS_MAX = 10_000_000_000L;

    private final ClientNode node;
    private final StreamScene scene;
    private final String label;
    private final SimulatedRandom random;
    private @Nullable StreamsNamespace namespace;
    private String streamName;
    private @Nullable Stay stay;
    private int handles;

    StreamProgram(ClientNode node, StreamScene scene, String label) {
        this.node = node;
        this.scene = scene;
        this.label = label + '-' + scene.name();
        this.random = scene.random(this.label);
        this.streamName = scene.name();
    }

    final ClientNode node() {
        return node;
    }

    final StreamScene scene() {
        return scene;
    }

    final SimulatedRandom random() {
        return random;
    }

    /** The time of its name for which it has opened the stream; null while that is not known. */
    final @Nullable Stay stay() {
        return stay;
    }

    /** What it takes the stream to be called. */
    final String streamName() {
        return streamName;
    }

    /** A name in the history for a new handle of this program. */
    final String newHandle() {
        handles++;
        return node.process() + '.' + label + '.' + handles;
    }

    @Override
    public final void started() {
        if (!isDone()) {
            namespace = StreamsNamespace.open(
                    new WatchedClient(node.client(), scene.stage()), node.stores(), node.host(), label);
            begun(namespace);
            open();
        }
    }

    @Override
    public final void crashed() {
        namespace = null;
        ended();
    }

    /** Opens the stream and goes on with {@link #opened}. */
    final void open() {
        StreamsNamespace current = namespace;
        if (current == null || isDone()) {
            return;
        }
        OpenMode mode = scene.openMode(streamName);
        Asked asked = scene.names().asked(streamName);
        current.openStream(asked.name(), mode, scene.plan().options()).whenComplete((stream, failure) -> {
            scene.resultOf(failure, asked);
            if (failure == null) {
                stay = scene.names().stayed(asked) ? asked.stay() : null;
                opened(stream);
                return;
            }
            if (Failures.rootOf(failure) instanceof StreamException.StreamNotFound
                    && asked.name().equals(streamName)) {
                follow(scene.names().after(asked.name()));
            }
            openLater();
        });
    }

    /** From now on it takes the stream to be called so. */
    final void follow(String name) {
        streamName = name;
    }

    /**
     * Follows the stream to the name that the failure tells, if it tells one; {@code last} was told by what has failed, null for nothing: then the first position that the stream may have had, as it
     * was opened, is told anew.
     */
    final void follow(@Nullable Throwable failure, @Nullable Place last) {
        if (Failures.rootOf(failure) instanceof StreamException.StreamRenamed told) {
            follow(told.newName());
            Place old = last == null && stay != null ? stay.begin() : last;
            if (old != null) {
                scene.translated(newHandle(), old, new Place(told.newName(), told.position(old.position())));
            }
        }
    }

    final void openLater() {
        later(RETRY_NANOS, this::open);
    }

    /** Runs a task after around {@code nanos} while faults may happen, and soon once they have ended. */
    final void later(long nanos, Runnable task) {
        long mean = scene.stage().isHealed() ? Math.min(nanos, HEALED_REST_NANOS) : nanos;
        rest(random.nextBelow(2 * mean + 1), task);
    }

    /** A long rest is cut into pieces: who waits for the end of the run does not wait for a rest that began before. */
    private void rest(long nanos, Runnable task) {
        if (nanos <= REST_NANOS_MAX) {
            node.later(nanos, task);
        } else {
            node.later(REST_NANOS_MAX, () -> rest(scene.stage().isHealed() ? 0 : nanos - REST_NANOS_MAX, task));
        }
    }

    /** Nothing is left to do: what the namespace holds is given back. */
    final void finish() {
        StreamsNamespace current = namespace;
        namespace = null;
        if (current != null) {
            node.later(0, current::shutdown);
        }
    }

    /** A process has begun. */
    void begun(StreamsNamespace opened) {}

    /** The process has ended. */
    abstract void ended();

    /** The stream is open. */
    abstract void opened(LogStream stream);
}
