// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.core.owner.Ownership;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.StreamDefects;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes a stream so that it can be taken up after a crash at any step (S-40): marks the head, then for each page of segments deletes their ledgers and after that
 * the segments, at last the head. A marked stream does not exist for anybody else.
 *
 * <p>The ledger of a segment in progress is fenced first, which needs no key and stops its writer; when too few bookies answer now, it is deleted all the same. So everybody who begins to clear, be it
 * with a deletion that another one has begun, first makes an owner that is idle look at the head: bookies that answer the owner need not answer who deletes.
 * <i>Threading:</i> the loop of the environment.
 */
public final class StreamDeletion {
    /** A situation: somebody goes on with a deletion that another one has begun. */
    public static final String TAKEN_UP = "stream-deletion-taken-up";

    private static final Logger LOG = LoggerFactory.getLogger(StreamDeletion.class);
    private static final int PAGE_COUNT = 100;
    private static final int ATTEMPTS_MAX = 20;

    private final StreamEnvironment environment;
    private final String stream;

    /** Of a stream. */
    public StreamDeletion(StreamEnvironment environment, String stream) {
        this.environment = environment;
        this.stream = stream;
    }

    /**
     * Deletes the stream that has the name now, from whatever state, and none that is made under its name meanwhile (S14); fails with what the stores say, {@code NOT_FOUND}
     * when there was none, and with {@link io.daybook.stream.StreamException.StreamRenamed} when it was given another name before.
     */
    public CompletableFuture<Void> run() {
        return environment.onLoop(environment.metadata().read(stream)).thenCompose(head -> delete(head, ATTEMPTS_MAX));
    }

    /** Goes on with a deletion that was begun. */
    public CompletableFuture<Void> goOn(Versioned<StreamMetadata> marked) {
        environment.faults().reached(TAKEN_UP);
        return tellAndClear(marked);
    }

    private CompletableFuture<Void> delete(Versioned<StreamMetadata> head, int attemptsLeft) {
        if (head.value().state() == StreamMetadata.State.DELETING) {
            return tellAndClear(head);
        }
        return mark(head)
                .handle((marked, failure) -> {
                    if (failure == null) {
                        return tellAndClear(marked);
                    }
                    return mayRepeat(failure) && attemptsLeft > 1
                            ? unlessElsewhere(
                                    head, now -> delete(now, attemptsLeft - 1), () -> doneUnlessRenamed(head.value()))
                            : CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(outcome -> outcome);
    }

    private CompletableFuture<Versioned<StreamMetadata>> mark(Versioned<StreamMetadata> head) {
        StreamMetadata marked =
                new HeadEdit(head.value()).state(StreamMetadata.State.DELETING).build(environment.freshToken());
        boolean isForgetful = environment.faults().at(StreamDefects.NUMBERS_FORGOTTEN);
        StreamMetadata next = isForgetful ? marked.numberedFrom(marked.originSegmentNumber()) : marked;
        return commit(next, head.version(), List.of());
    }

    private static boolean mayRepeat(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                || StreamFailures.isMetadata(failure, MetadataException.Code.OUTCOME_UNKNOWN);
    }

    private CompletableFuture<Versioned<StreamMetadata>> commit(
            StreamMetadata next, long version, List<Long> removals) {
        return environment.onLoop(environment.metadata().commit(new StreamChange(next, version, List.of(), removals)));
    }

    /** Goes on with the stream of a head that was read before as it is now, or does {@code otherwise} when the name is free or another's. */
    private CompletableFuture<Void> unlessElsewhere(
            Versioned<StreamMetadata> before,
            Function<Versioned<StreamMetadata>, CompletableFuture<Void>> step,
            Supplier<CompletableFuture<Void>> otherwise) {
        return environment
                .onLoop(environment.metadata().read(stream))
                .thenCompose(
                        now -> now.value().incarnation().equals(before.value().incarnation())
                                ? step.apply(now)
                                : otherwise.get())
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? otherwise.get()
                        : CompletableFuture.failedFuture(failure));
    }

    /** Whoever deletes it at the same time may have finished. */
    private CompletableFuture<Void> doneUnlessRenamed(StreamMetadata head) {
        Whereabouts whereabouts = new Whereabouts(environment, head);
        return whereabouts
                .name()
                .thenCompose(name -> name.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : whereabouts.orElse(StreamFailures.notFound(stream)));
    }

    /** Whoever marked it may have gone before the owner was told. */
    private CompletableFuture<Void> tellAndClear(Versioned<StreamMetadata> marked) {
        return Ownership.makeOwnerLook(environment, marked.value()).thenCompose(told -> clear(marked));
    }

    /** Somebody else may delete the same stream at the same time: whoever finds a step done goes on. One that is marked keeps its name. */
    private CompletableFuture<Void> clear(Versioned<StreamMetadata> marked) {
        return clearPage(marked).exceptionallyCompose(failure -> {
            if (StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)) {
                return CompletableFuture.completedFuture(null);
            }
            return mayRepeat(failure)
                    ? unlessElsewhere(marked, this::clear, () -> CompletableFuture.completedFuture(null))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private CompletableFuture<Void> clearPage(Versioned<StreamMetadata> marked) {
        CompletableFuture<Page<SegmentMetadata>> page =
                environment.onLoop(environment.metadata().segments(stream, 0, PAGE_COUNT));
        return page.thenCompose(segments -> {
            if (segments.items().isEmpty()) {
                return deleteSubscriptions(marked.value())
                        .thenCompose(none ->
                                environment.onLoop(environment.metadata().delete(stream, marked.version())))
                        .thenAccept(done -> LOG.debug("stream={} state=DELETED", stream));
            }
            List<Long> numbers =
                    segments.items().stream().map(SegmentMetadata::number).toList();
            return requireStillThere(marked)
                    .thenCompose(there -> deleteLedgers(segments.items()))
                    .thenCompose(done -> commit(
                            new HeadEdit(marked.value()).build(environment.freshToken()), marked.version(), numbers))
                    .thenCompose(this::clearPage);
        });
    }

    /** One that is made at this very moment keeps the head from being deleted, and is found by the next look. */
    private CompletableFuture<Void> deleteSubscriptions(StreamMetadata marked) {
        CompletableFuture<Page<String>> page =
                environment.onLoop(environment.subscriptions().list(marked, "", PAGE_COUNT));
        return page.thenCompose(ids -> ids.items().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.allOf(ids.items().stream()
                                .map(id -> environment.onLoop(
                                        environment.subscriptions().delete(marked, id)))
                                .toArray(CompletableFuture[]::new))
                        .thenCompose(done -> deleteSubscriptions(marked)));
    }

    /** A listing knows the name only: it was made of the stream that was marked if that is there afterwards, and else of a successor, whose ledgers stay (S14). */
    private CompletableFuture<Void> requireStillThere(Versioned<StreamMetadata> marked) {
        if (environment.faults().at(StreamDefects.DELETED_BY_NAME)) {
            return CompletableFuture.completedFuture(null);
        }
        return environment.onLoop(environment.metadata().read(stream)).thenAccept(now -> {
            if (!now.value().incarnation().equals(marked.value().incarnation())) {
                throw new MetadataException(
                        MetadataException.Code.NOT_FOUND,
                        "stream '" + stream + "' was deleted; another one has its name now");
            }
        });
    }

    private CompletableFuture<Void> deleteLedgers(List<SegmentMetadata> segments) {
        CompletableFuture<?>[] deletions =
                segments.stream().map(this::deleteLedger).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(deletions);
    }

    private CompletableFuture<Void> deleteLedger(SegmentMetadata segment) {
        return fence(segment)
                .thenCompose(fenced -> environment.onLoop(environment.ledgers().delete(segment.ledgerId())));
    }

    private CompletableFuture<Void> fence(SegmentMetadata segment) {
        if (segment.state() != SegmentMetadata.State.IN_PROGRESS) {
            return CompletableFuture.completedFuture(null);
        }
        return environment
                .onLoop(environment.ledgers().fence(segment.ledgerId()))
                .handle((fenced, failure) -> {
                    if (failure != null && !(Failures.rootOf(failure) instanceof LedgerException.LedgerGone)) {
                        LOG.warn(
                                "stream={} ledger={} state=DELETED_UNFENCED reason={}",
                                stream,
                                segment.ledgerId(),
                                failure.getMessage());
                    }
                    return null;
                });
    }
}
