// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.takeover;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamMetadataStore.NewName;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.runtime.Failures;
import io.daybook.stream.Namespace.Renamed;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.HeadEdit;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import io.daybook.stream.core.takeover.SegmentSealing.Sealed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a stream another name: recovers the ledger of every segment in progress, which fences whoever wrote it, and then in one change of metadata completes them, raises the epoch
 * and moves the head. Segments, subscriptions and ledgers stay where they are, since none of them is found by the name.
 *
 * <p><i>Invariants:</i> that change is the only step: before it the stream has the old name, after it the new one, and a crash leaves nothing to be resumed. It is made on the version
 * of the head that was read before sealing (S6), so that nothing acknowledged is lost; each try mints an incarnation, by which one whose answer was lost is recognised (M2).
 * <i>Threading:</i> the loop of the environment.
 */
public final class StreamRenaming {
    private static final Logger LOG = LoggerFactory.getLogger(StreamRenaming.class);
    private static final int ATTEMPTS_MAX = 20;
    private static final int PAUSE_MILLIS_MAX = 20;
    private static final long SETTLE_PAUSE_NANOS = 200_000_000L;

    private final StreamEnvironment environment;
    private final String stream;
    private final String newName;
    private final List<WriteToken> minted = new ArrayList<>();
    private StreamMetadata before;

    /** Of the stream that {@code known} is a head of, and whose ownership the caller has. */
    public StreamRenaming(StreamEnvironment environment, StreamMetadata known, String newName) {
        this.environment = environment;
        this.stream = known.name();
        this.before = known;
        this.newName = newName;
    }

    /** Does it; fails with {@link StreamException}. To be called on the loop. */
    public CompletableFuture<Renamed> run() {
        return attempt(1)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        StreamFailures.of(stream, "rename it to '" + newName + "'", failure)));
    }

    private CompletableFuture<Renamed> attempt(int number) {
        return environment
                .onLoop(environment.metadata().read(stream))
                .thenCompose(head -> isOther(head.value())
                        ? moved(StreamFailures.notFound(stream))
                        : sealAndMove(requireMovable(StreamFailures.requireNotDeleting(head)), number))
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? moved(failure)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Whether the name is another stream's by now. */
    private boolean isOther(StreamMetadata head) {
        return !before.incarnation().equals(head.incarnation());
    }

    private static Versioned<StreamMetadata> requireMovable(Versioned<StreamMetadata> head) {
        if (head.value().home().isBelowName()) {
            throw new StreamException.InvalidOptions(
                    "stream '" + head.value().name()
                            + "' was made by an earlier version, which keeps a stream under its name for ever: make a new stream and copy its records");
        }
        return head;
    }

    private CompletableFuture<Renamed> sealAndMove(Versioned<StreamMetadata> head, int number) {
        before = head.value();
        return new SegmentSealing(environment, stream)
                .run(head.value())
                .thenCompose(result -> result.isPresent()
                        ? commit(head, result.get())
                        : CompletableFuture.failedFuture(
                                new MetadataException(MetadataException.Code.VERSION_CONFLICT, "a rival was faster")))
                .exceptionallyCompose(failure -> notDone(number, failure));
    }

    private CompletableFuture<Renamed> commit(Versioned<StreamMetadata> head, Sealed ends) {
        HeadEdit edit = new HeadEdit(head.value()).leftByItsWriter();
        for (SegmentMetadata segment : ends.all()) {
            edit.completed(segment.lastTransactionId());
        }
        StreamMetadata next = edit.build(environment.freshToken());
        NewName to = new NewName(newName, environment.freshToken());
        minted.add(to.incarnation());
        return environment
                .onLoop(environment
                        .metadata()
                        .rename(new StreamChange(next, head.version(), ends.changed(), List.of()), to))
                .thenApply(done -> renamed(head.value(), done.value()));
    }

    private Renamed renamed(StreamMetadata old, StreamMetadata moved) {
        long shift = moved.home().numberShift() - old.home().numberShift();
        LOG.info("stream={} new_name={} segment_shift={} state=RENAMED", stream, newName, shift);
        return new Renamed(newName, shift);
    }

    /** A rival changed the head, or nobody can tell what became of the change: what the next try finds decides. */
    private CompletableFuture<Renamed> notDone(int number, Throwable failure) {
        if (StreamFailures.isMetadata(failure, MetadataException.Code.ALREADY_EXISTS)) {
            return moved(taken(newName));
        }
        boolean isConflict = Failures.rootOf(failure) instanceof SegmentSealing.OvertakenException
                || StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                || StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND);
        boolean isUnknown = StreamFailures.isMetadata(failure, MetadataException.Code.OUTCOME_UNKNOWN);
        if (number >= ATTEMPTS_MAX || !(isConflict || isUnknown)) {
            return CompletableFuture.failedFuture(failure);
        }
        long pauseNanos = isUnknown
                ? SETTLE_PAUSE_NANOS
                : 1_000_000L * environment.random().below(PAUSE_MILLIS_MAX);
        return environment.pause(pauseNanos).thenCompose(over -> attempt(number + 1));
    }

    /** The old name is not the stream's: one of the tries may have moved it. Fails with {@code otherwise} when none has. */
    private CompletableFuture<Renamed> moved(Throwable otherwise) {
        StreamMetadata old = before;
        return environment
                .onLoop(environment.metadata().read(newName))
                .thenCompose(there -> minted.contains(there.value().incarnation())
                        ? CompletableFuture.completedFuture(renamed(old, there.value()))
                        : elsewhere(old, otherwise))
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? elsewhere(old, otherwise)
                        : CompletableFuture.failedFuture(failure));
    }

    /** A rival may have given it yet another name, before or after this. */
    private CompletableFuture<Renamed> elsewhere(StreamMetadata old, Throwable otherwise) {
        return new Whereabouts(environment, old)
                .present()
                .thenCompose(still -> CompletableFuture.failedFuture(otherwise));
    }

    /** The refusal of a name that is in use. */
    public static StreamException taken(String name) {
        return new StreamException.StreamExists(
                "stream '" + name + "' exists already: take a name that is free, or delete that stream first");
    }
}
