// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.simulation.streams.RecordedReader.Polled;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.streams.StreamNames.Stay;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A program that reads a stream by a subscription of its own: it commits now and then, and goes on where the subscription stands. Sometimes it moves it to a position that it has kept, or makes another
 * one there; that position may be of a stream that was deleted. When the subscription is truncated, or is gone with its stream, it makes a new one.
 *
 * <p><i>States:</i> opening → taking → polling or committing …; done as a follower is.
 */
public final class StreamSubscriber extends StreamProgram {
    private static final int COMMIT_ONE_IN = 3;
    private static final int REOPEN_ONE_IN = 20;
    private static final int MOVE_ONE_IN = 8;

    private final String id;
    /** Where the subscription stands; null while that is not known. */
    private @Nullable StartPosition standsAt = StartPosition.earliest();

    /** The name under which that is told. */
    private String standsUnder;

    /** When the stream had that name; null while that is not known. */
    private @Nullable Stay standsIn;

    private boolean isMade;
    private boolean isDone;
    private int readers;

    /** Subscriber {@code number} of its stream. */
    public StreamSubscriber(ClientNode node, StreamScene scene, int number) {
        super(node, scene, "subscriber" + number);
        this.id = "subscription-" + number;
        this.standsUnder = scene.name();
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    @Override
    public String describe() {
        return node().machine() + " stands with its subscription to stream " + scene().name() + " at " + standsAt;
    }

    @Override
    void ended() {
        readers++;
    }

    @Override
    void opened(LogStream stream) {
        translate(stream.name());
        Subscriptions subscriptions = stream.subscriptions();
        if (isMade && random().below(MOVE_ONE_IN) == 0) {
            scene().anyPosition(random(), standsUnder)
                    .ifPresentOrElse(to -> use(subscriptions, to), () -> take(subscriptions));
        } else {
            take(subscriptions);
        }
    }

    /** Tells where it stands as that is told under a name; that is not known where the stream may be another. */
    private void translate(String name) {
        Stay now = stay();
        boolean isSame = now != null && standsIn != null && now.isOfThatOf(standsIn);
        standsIn = now;
        if (scene().isRenamedAndDeleted() && !isSame) {
            standsAt = null;
        }
        StartPosition stands = standsAt;
        if (stands instanceof StartPosition.At at) {
            standsAt = translated(at.position(), name).map(StartPosition::at).orElse(null);
        } else if (stands instanceof StartPosition.After after) {
            standsAt =
                    translated(after.position(), name).map(StartPosition::after).orElse(null);
        }
        standsUnder = name;
    }

    private Optional<DLSN> translated(DLSN position, String name) {
        return scene().names().under(name, new Place(standsUnder, position)).map(Place::position);
    }

    private void use(Subscriptions subscriptions, DLSN kept) {
        if (random().below(2) == 0) {
            move(subscriptions, kept);
        } else {
            makeAt(subscriptions, kept);
        }
    }

    /** One that stands there is as good as a reader that begins there. */
    private void makeAt(Subscriptions subscriptions, DLSN kept) {
        String process = newHandle();
        StartPosition start = StartPosition.at(kept);
        String under = standsUnder;
        int call = RecordedReader.begin(scene(), under, process, start);
        subscriptions.create(id + '-' + process, start).whenComplete((made, failure) -> {
            if (failure == null) {
                RecordedReader.began(scene(), under, call, start);
            } else {
                RecordedReader.failed(scene(), under, call, start, failure);
            }
            take(subscriptions);
        });
    }

    // ---- the subscription ----

    private void move(Subscriptions subscriptions, DLSN to) {
        StartPosition before = standsAt;
        String under = standsUnder;
        standsAt = null;
        subscriptions
                .find(id)
                .thenCompose(found -> subscriptions.set(found, to))
                .whenComplete((moved, failure) -> {
                    if (failure == null) {
                        standsAt = StartPosition.at(to);
                        take(subscriptions);
                    } else if (Failures.rootOf(failure) instanceof StreamException.ForeignPosition) {
                        scene().countForeign(new Place(under, to));
                        scene().resultOf(failure, new Place(under, to));
                        standsAt = before;
                        take(subscriptions);
                    } else {
                        again(subscriptions, failure);
                    }
                });
    }

    /** There may be none yet, or none any more: then it is made, at the beginning. */
    private void again(Subscriptions subscriptions, Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof StreamException.SubscriptionNotFound && !isMade) {
            make(subscriptions);
        } else if (root instanceof StreamException.SubscriptionNotFound) {
            if (scene().deletionsTried() == 0) {
                scene().unexpected(root);
            }
            scene().count(StreamSituations.SUBSCRIPTION_GONE);
            make(subscriptions);
        } else if (root instanceof StreamException.Truncated) {
            isMade = false;
            standsAt = StartPosition.earliest();
            subscriptions.delete(id).whenComplete((deleted, whyNot) -> openLater());
        } else {
            scene().resultOf(failure);
            follow(failure, null);
            openLater();
        }
    }

    private void make(Subscriptions subscriptions) {
        isMade = false;
        standsAt = StartPosition.earliest();
        subscriptions.create(id, StartPosition.earliest()).whenComplete((made, failure) -> {
            scene().resultOf(failure);
            isMade = failure == null;
            follow(failure, null);
            openLater();
        });
    }

    // ---- its reader ----

    private void take(Subscriptions subscriptions) {
        readers++;
        int present = readers;
        String process = newHandle();
        StartPosition start = standsAt;
        String under = standsUnder;
        int call = RecordedReader.begin(scene(), under, process, start == null ? StartPosition.earliest() : start);
        subscriptions.openReader(id, random().below(2) == 0).whenComplete((taken, failure) -> {
            if (failure != null) {
                RecordedReader.failed(scene(), under, call, start, failure);
                again(subscriptions, failure);
            } else if (start == null) {
                look(subscriptions, new Reading(taken, process, present), call);
            } else {
                begin(new Reading(taken, process, present), call, start);
            }
        });
    }

    /** The time with one exclusive reader. */
    private record Reading(ExclusiveReader taken, String process, int number) {}

    /** Nobody else moves it: where it stands now its reader has begun. */
    private void look(Subscriptions subscriptions, Reading reading, int call) {
        subscriptions.find(id).whenComplete((found, failure) -> {
            if (failure == null) {
                begin(reading, call, StartPosition.at(found.next()));
            } else {
                reading.taken().close();
                RecordedReader.failed(scene(), standsUnder, call, null, failure);
                follow(failure, null);
                openLater();
            }
        });
    }

    private void begin(Reading reading, int call, StartPosition start) {
        isMade = true;
        standsAt = start;
        RecordedReader reader = new RecordedReader(
                scene(), random(), reading.process(), reading.taken().reader());
        reader.pollFirst(call, start, polled -> polled(reading, reader, polled));
    }

    private void polled(Reading reading, RecordedReader reader, Polled polled) {
        if (polled.failure() != null || polled.isOver() || reading.number() != readers) {
            reading.taken().close();
            if (polled.failure() != null) {
                follow(polled.failure(), polled.last());
                openLater();
            } else if (polled.isOver()) {
                isDone = true;
                finish();
            }
        } else if (random().below(REOPEN_ONE_IN) == 0) {
            reading.taken().close();
            open();
        } else if (polled.last() != null && polled.hasRead() && random().below(COMMIT_ONE_IN) == 0) {
            commit(reading, reader, polled.last());
        } else {
            reader.poll(next -> polled(reading, reader, next));
        }
    }

    private void commit(Reading reading, RecordedReader reader, Place done) {
        standsAt = null;
        reading.taken().commit(done.position()).whenComplete((stands, failure) -> {
            if (failure == null) {
                standsAt = StartPosition.after(done.position());
                standsUnder = done.name();
                reader.poll(next -> polled(reading, reader, next));
            } else {
                if (Failures.rootOf(failure) instanceof StreamException.StreamRenamed) {
                    scene().count(StreamSituations.RENAMED_UNDER_SUBSCRIPTION);
                }
                scene().resultOf(failure);
                reading.taken().close();
                follow(failure, done);
                openLater();
            }
        });
    }
}
