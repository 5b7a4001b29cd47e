// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * One change of a stream by the writer that owns it: repeated while the metadata store is away or others change what does not concern the writer, given up
 * when the stream has another owner.
 *
 * <p><i>Invariants:</i> it is done at most once, since every try names the head it replaces (M1); a try whose answer was lost is recognised by its token (M2), and when others
 * have changed the head since, by what only the owner changes: a segment begun, the stream sealed.
 * <i>Threading:</i> the loop of the environment.
 */
final class HeadCommit {
    private static final long TOTAL_NANOS_MAX = 20_000_000_000L;
    private static final long PAUSE_NANOS_MIN = 20_000_000L;
    private static final long PAUSE_NANOS_MAX = 1_000_000_000L;

    private final StreamEnvironment environment;
    private final UnaryOperator<HeadEdit> edit;
    private final List<SegmentMetadata> puts;
    private final List<WriteToken> tokens = new ArrayList<>();
    private Versioned<StreamMetadata> head;
    private long deadlineNanos;
    private long pauseNanos = PAUSE_NANOS_MIN;

    HeadCommit(
            StreamEnvironment environment,
            Versioned<StreamMetadata> head,
            UnaryOperator<HeadEdit> edit,
            List<SegmentMetadata> puts) {
        this.environment = environment;
        this.head = head;
        this.edit = edit;
        this.puts = puts;
    }

    CompletableFuture<Versioned<StreamMetadata>> run() {
        deadlineNanos = environment.loop().nanoTime() + TOTAL_NANOS_MAX;
        return attempt();
    }

    private CompletableFuture<Versioned<StreamMetadata>> attempt() {
        WriteToken token = environment.freshToken();
        tokens.add(token);
        StreamMetadata next = edit.apply(new HeadEdit(head.value())).build(token);
        return environment
                .onLoop(environment.metadata().commit(new StreamChange(next, head.version(), puts, List.of())))
                .exceptionallyCompose(this::refused);
    }

    private CompletableFuture<Versioned<StreamMetadata>> refused(Throwable failure) {
        if (StreamFailures.isMetadata(failure, MetadataException.Code.VERSION_CONFLICT)
                || StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)) {
            return reread();
        }
        if (StreamFailures.isRetryable(failure)) {
            return pauseThenReread(failure);
        }
        return CompletableFuture.failedFuture(failure);
    }

    private CompletableFuture<Versioned<StreamMetadata>> pauseThenReread(Throwable failure) {
        if (environment.loop().nanoTime() - deadlineNanos > 0) {
            return CompletableFuture.failedFuture(failure);
        }
        long pause = pauseNanos;
        pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * pause);
        return environment.pause(pause).thenCompose(over -> reread());
    }

    private CompletableFuture<Versioned<StreamMetadata>> reread() {
        return new Whereabouts(environment, head.value())
                .present()
                .thenCompose(this::settle)
                .exceptionallyCompose(failure -> StreamFailures.isRetryable(failure)
                        ? pauseThenReread(failure)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Versioned<StreamMetadata>> settle(Versioned<StreamMetadata> now) {
        if (tokens.contains(now.value().token()) || isDoneIn(now.value())) {
            return CompletableFuture.completedFuture(now);
        }
        requireStillOwned(head.value(), now);
        head = now;
        return attempt();
    }

    /** Whether a try whose answer was lost has made this head, and others have changed it since in what does not concern the writer. */
    private boolean isDoneIn(StreamMetadata now) {
        StreamMetadata before = head.value();
        boolean isOwn = now.incarnation().equals(before.incarnation()) && now.epoch() == before.epoch();
        boolean hasBegun = now.nextSegmentNumber() > before.nextSegmentNumber();
        boolean hasSealed = now.state() == StreamMetadata.State.SEALED && before.state() != now.state();
        return isOwn && now.state() != StreamMetadata.State.DELETING && (hasBegun || hasSealed);
    }

    /** Throws what the application is told when the stream of {@code before}, whose present head is {@code now}, is not its writer's any more. */
    static void requireStillOwned(StreamMetadata before, Versioned<StreamMetadata> now) {
        if (now.value().epoch() != before.epoch()) {
            throw new StreamException.WriterFenced(
                    "stream '" + before.name() + "' was taken over by '"
                            + now.value().owner() + "' (epoch " + now.value().epoch() + ", this writer's is "
                            + before.epoch() + ")",
                    Outcome.FAILED);
        }
        StreamFailures.requireWritable(now);
    }
}
