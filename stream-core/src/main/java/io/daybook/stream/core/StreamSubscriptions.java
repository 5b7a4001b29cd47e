// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.stream.core.position.StreamEnd;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * The subscriptions of one stream.
 *
 * <p><i>Invariants:</i> every change is a compare-and-set on the version that the caller knows (M1). One that was made for another incarnation of the stream does not exist
 * for this one (S14). <i>Threading:</i> any thread.
 */
final class StreamSubscriptions implements Subscriptions {
    private static final int PAGE_COUNT_MAX = 1000;

    private final StreamsNamespace namespace;
    private final StreamEnvironment control;
    private final StreamMetadata known;
    private final String stream;

    /** Of the stream that {@code known} is a head of. */
    StreamSubscriptions(StreamsNamespace namespace, StreamMetadata known) {
        this.namespace = namespace;
        this.control = namespace.control();
        this.known = known;
        this.stream = known.name();
    }

    String what(String id) {
        return "subscription '" + id + "' of stream '" + stream + "'";
    }

    private StreamException notFound(String id) {
        return new StreamException.SubscriptionNotFound(what(id) + " does not exist");
    }

    private StreamException changed(String id) {
        return new StreamException.SubscriptionChanged(
                what(id) + " was moved, taken or deleted by somebody else: look where it stands now");
    }

    // ---- one ----

    @Override
    public CompletableFuture<Subscription> create(String id, StartPosition start) {
        return position(start)
                .thenCompose(next ->
                        namespace.call(stream, "make a subscription", () -> create(NameRule.requireLegal(id), next)));
    }

    /** Of the first record at {@code start}; where none is yet, of the end. What arrives before the end is found would stand below it: it is looked for once more. */
    private CompletableFuture<DLSN> position(StartPosition start) {
        return first(start)
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found.get())
                        : end().thenCompose(end -> first(start).thenApply(arrived -> arrived.orElse(end))));
    }

    private CompletableFuture<Optional<DLSN>> first(StartPosition start) {
        return namespace.calls().find(known, start).thenApply(found -> found.map(PositionedRecord::position));
    }

    private CompletableFuture<DLSN> end() {
        return namespace.call(
                stream,
                "find its end",
                () -> FreshHead.look(
                        control,
                        known,
                        head -> new StreamEnd(control, stream)
                                .find(head.value())
                                .thenApply(end -> new DLSN(end.segment(), end.entry(), end.slot()))));
    }

    private CompletableFuture<Subscription> create(String id, DLSN next) {
        return FreshHead.act(control, known, head -> {
                    StartResolver.requireOwn(head.value(), next);
                    long now = control.loop().wallMillis();
                    SubscriptionMetadata made = new SubscriptionMetadata(
                            id,
                            head.value().identity(),
                            next.segment(),
                            next.entry(),
                            next.slot(),
                            0,
                            "",
                            now,
                            now,
                            control.freshToken());
                    return control.onLoop(control.subscriptions().create(head.value(), made))
                            .exceptionallyCompose(failure -> instead(made, head.value(), failure));
                })
                .thenApply(StreamSubscriptions::of);
    }

    /** What stands there may be of a stream that is gone: then it is replaced. */
    private CompletableFuture<Versioned<SubscriptionMetadata>> instead(
            SubscriptionMetadata made, StreamMetadata head, Throwable failure) {
        if (!StreamFailures.isMetadata(failure, MetadataException.Code.ALREADY_EXISTS)) {
            return CompletableFuture.failedFuture(failure);
        }
        return control.onLoop(control.subscriptions().read(head, made.id())).thenCompose(there -> {
            if (there.value().stream().equals(head.identity())) {
                throw new StreamException.SubscriptionExists(what(made.id()) + " exists already");
            }
            return control.onLoop(control.subscriptions().replace(head, made, there.version()));
        });
    }

    private static Subscription of(Versioned<SubscriptionMetadata> read) {
        SubscriptionMetadata value = read.value();
        return new Subscription(
                value.id(),
                new DLSN(value.nextSegment(), value.nextEntry(), value.nextSlot()),
                value.epoch(),
                value.reader(),
                Instant.ofEpochMilli(value.createdMillis()),
                Instant.ofEpochMilli(value.changedMillis()),
                read.version());
    }

    @Override
    public CompletableFuture<Subscription> find(String id) {
        return namespace.call(stream, "look a subscription up", () -> read(id).thenApply(found -> of(found.read())));
    }

    /** What was read of a subscription, and the head that was read before. */
    private record Found(StreamMetadata head, Versioned<SubscriptionMetadata> read) {}

    private CompletableFuture<Found> read(String id) {
        return read(id, DLSN.BEFORE_ALL);
    }

    /** Reads one whose stream may have that position. */
    private CompletableFuture<Found> read(String id, DLSN next) {
        return FreshHead.act(
                control,
                known,
                head -> control.onLoop(control.subscriptions().read(head.value(), NameRule.requireLegal(id)))
                        .thenApply(read -> {
                            if (!read.value().stream().equals(head.value().identity())) {
                                throw notFound(id);
                            }
                            StartResolver.requireOwn(head.value(), next);
                            return new Found(head.value(), read);
                        })
                        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(notFoundOr(id, failure))));
    }

    private Throwable notFoundOr(String id, Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND) ? notFound(id) : failure;
    }

    @Override
    public CompletableFuture<List<Subscription>> list(String afterId, int countMax) {
        if (countMax < 1 || countMax > PAGE_COUNT_MAX) {
            throw new IllegalArgumentException("a page has 1 to " + PAGE_COUNT_MAX + " subscriptions, not " + countMax);
        }
        return namespace.call(
                stream,
                "list its subscriptions",
                () -> FreshHead.look(
                                control,
                                known,
                                head -> control.onLoop(control.subscriptions().list(head.value(), afterId, countMax)))
                        .thenCompose(page -> {
                            List<CompletableFuture<List<Subscription>>> reads = page.items().stream()
                                    .map(id -> read(id).thenApply(found -> List.of(of(found.read())))
                                            .exceptionallyCompose(this::noneIfGone))
                                    .toList();
                            return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                                    .thenApply(done -> {
                                        List<Subscription> found = new ArrayList<>();
                                        reads.forEach(read -> found.addAll(read.join()));
                                        return List.copyOf(found);
                                    });
                        }));
    }

    private CompletableFuture<List<Subscription>> noneIfGone(Throwable failure) {
        return Failures.rootOf(failure) instanceof StreamException.SubscriptionNotFound
                ? CompletableFuture.completedFuture(List.of())
                : CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletableFuture<Subscription> set(Subscription expected, DLSN next) {
        return namespace.call(
                stream,
                "move a subscription",
                () -> read(expected.id(), next)
                        .thenCompose(found -> replace(found, expected.version(), value -> moved(value, next)))
                        .thenApply(StreamSubscriptions::of));
    }

    private SubscriptionMetadata moved(SubscriptionMetadata value, DLSN next) {
        return new SubscriptionMetadata(
                value.id(),
                value.stream(),
                next.segment(),
                next.entry(),
                next.slot(),
                value.epoch(),
                value.reader(),
                value.createdMillis(),
                control.loop().wallMillis(),
                control.freshToken());
    }

    /** Replaces what has the version; what has another one was changed. */
    private CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            Found found, long version, UnaryOperator<SubscriptionMetadata> edit) {
        Versioned<SubscriptionMetadata> read = found.read();
        String id = read.value().id();
        if (read.version() != version) {
            throw changed(id);
        }
        return control.onLoop(control.subscriptions().replace(found.head(), edit.apply(read.value()), version))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                                        || StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                                ? changed(id)
                                : failure));
    }

    @Override
    public CompletableFuture<Void> delete(String id) {
        return namespace.call(
                stream,
                "delete a subscription",
                () -> read(id).thenCompose(found -> control.onLoop(
                                control.subscriptions().delete(found.head(), id))
                        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(notFoundOr(id, failure)))));
    }

    // ---- readers ----

    /** Where reading begins. What was committed stands after a record: whether that was the last one below a truncation can be told. */
    static StartPosition start(Subscription found, StartPosition.AtSubscription asked) {
        DLSN next = found.next();
        boolean orEarliest = asked.startsEarliestIfTruncated();
        return next.slot() > 0
                ? new StartPosition.After(new DLSN(next.segment(), next.entry(), next.slot() - 1), orEarliest)
                : new StartPosition.At(next, orEarliest);
    }

    @Override
    public CompletableFuture<ExclusiveReader> openReader(String id, boolean takeOver) {
        return namespace
                .call(
                        stream,
                        "take a subscription",
                        () -> read(id).thenCompose(there -> acquire(id, takeOver))
                                .thenCompose(hold -> taken(id)
                                        .whenComplete((done, failure) -> {
                                            if (failure != null) {
                                                hold.release();
                                            }
                                        })
                                        .thenApply(taken -> new SubscriptionReader.Taken(of(taken), lock(id), hold))))
                .thenCompose(taken -> namespace
                        .openReader(known, start(taken.subscription(), StartPosition.subscription(id)))
                        .whenComplete((reader, failure) -> {
                            if (failure != null) {
                                taken.hold().release();
                            }
                        })
                        .thenApply(reader -> new SubscriptionReader(this, control, taken, reader)));
    }

    /** By the incarnation: who reads it under another name of the stream is in nobody's way here. */
    private String lock(String id) {
        return "reader " + known.incarnation().hex() + ' ' + id;
    }

    private CompletableFuture<Hold> acquire(String id, boolean takeOver) {
        String lock = lock(id);
        Owner owner = control.program().owner(control.loop().wallMillis(), control.freshToken());
        if (takeOver) {
            return control.onLoop(control.locks().seize(lock, owner));
        }
        return control.onLoop(control.locks().tryAcquire(lock, owner)).thenApply(attempt -> {
            if (attempt instanceof Attempt.Taken mine) {
                return mine.hold();
            }
            Owner holder = ((Attempt.Refused) attempt).holder();
            throw new StreamException.SubscriptionInUse(what(id) + " is read by " + holder.shown() + " since "
                    + Instant.ofEpochMilli(holder.sinceMillis()) + ": wait for it to end, or take it over");
        });
    }

    /** Raises the epoch, which fences whoever had it; a change of its position that comes between is kept. */
    private CompletableFuture<Versioned<SubscriptionMetadata>> taken(String id) {
        return read(id).thenCompose(found -> replace(
                        found,
                        found.read().version(),
                        value -> new SubscriptionMetadata(
                                value.id(),
                                value.stream(),
                                value.nextSegment(),
                                value.nextEntry(),
                                value.nextSlot(),
                                value.epoch() + 1,
                                control.program().label(),
                                value.createdMillis(),
                                control.loop().wallMillis(),
                                control.freshToken())))
                .exceptionallyCompose(failure -> Failures.rootOf(failure) instanceof StreamException.SubscriptionChanged
                        ? taken(id)
                        : CompletableFuture.failedFuture(failure));
    }
}
