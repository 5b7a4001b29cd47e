// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What became of a stream that was known under a name: whoever holds a head of it can still tell its new name. <i>Threading:</i> the loop of the environment. */
public final class Whereabouts {
    private static final int ATTEMPTS_MAX = 20;

    private final StreamEnvironment environment;
    private final StreamMetadata head;

    /** Of the stream of {@code head}, which need not be the present one. */
    public Whereabouts(StreamEnvironment environment, StreamMetadata head) {
        this.environment = environment;
        this.head = head;
    }

    /** Its name now; empty when it was deleted. */
    public CompletableFuture<Optional<String>> name() {
        return orEmpty(environment.onLoop(environment.metadata().nameOf(head.identity())));
    }

    private static <T> CompletableFuture<Optional<T>> orEmpty(CompletableFuture<T> reading) {
        return reading.thenApply(Optional::of)
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** Its head now, under whatever name; empty when it was deleted. Looked for again when it moves on between the two readings. */
    private CompletableFuture<Optional<StreamMetadata>> now(int attemptsLeft) {
        return name().thenCompose(name -> name.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : orEmpty(environment.onLoop(environment.metadata().read(name.get())))
                        .thenCompose(found -> {
                            Optional<StreamMetadata> own = found.map(Versioned::value)
                                    .filter(there -> there.identity().equals(head.identity()));
                            return own.isPresent() ? CompletableFuture.completedFuture(own) : again(attemptsLeft);
                        }));
    }

    private CompletableFuture<Optional<StreamMetadata>> again(int attemptsLeft) {
        return attemptsLeft > 1
                ? now(attemptsLeft - 1)
                : CompletableFuture.failedFuture(new MetadataException(
                        MetadataException.Code.UNAVAILABLE,
                        "stream '" + head.name() + "' is renamed again and again: ask once more"));
    }

    /**
     * The present head of the name, which is still this stream's and not being deleted; fails with {@link StreamException.StreamRenamed} or
     * {@link StreamException.StreamNotFound} otherwise, or with what the store says.
     */
    public CompletableFuture<Versioned<StreamMetadata>> present() {
        return environment
                .onLoop(environment.metadata().read(head.name()))
                .thenCompose(now -> isSameStay(now.value())
                        ? CompletableFuture.completedFuture(StreamFailures.requireNotDeleting(now))
                        : this.<Versioned<StreamMetadata>>told())
                .exceptionallyCompose(this::orTold);
    }

    private boolean isSameStay(StreamMetadata now) {
        return environment.faults().at(StreamDefects.RETURN_UNNOTICED)
                ? now.identity().equals(head.identity())
                : now.incarnation().equals(head.incarnation());
    }

    /** Fails as {@link #present} does where {@code failure} says that nothing has the name, and with {@code failure} otherwise. */
    public <T> CompletableFuture<T> orTold(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                ? told()
                : CompletableFuture.failedFuture(failure);
    }

    /** Fails with {@link StreamException.StreamRenamed} when the stream has left its name, also when it has come back since, and with {@code otherwise} when not. */
    public <T> CompletableFuture<T> orElse(StreamException otherwise) {
        return now(ATTEMPTS_MAX).thenCompose(now -> {
            now.ifPresent(this::requireSameStay);
            return CompletableFuture.failedFuture(otherwise);
        });
    }

    private <T> CompletableFuture<T> told() {
        return orElse(new StreamException.StreamNotFound("stream '" + head.name() + "' was deleted"));
    }

    private void requireSameStay(StreamMetadata now) {
        if (now.incarnation().equals(head.incarnation())) {
            return;
        }
        long shift = environment.faults().at(StreamDefects.SHIFT_FORGOTTEN)
                ? 0
                : now.home().numberShift() - head.home().numberShift();
        String what = now.name().equals(head.name())
                ? "was renamed, and renamed back: open it anew"
                : "was renamed to '" + now.name() + "': open it under that name";
        throw new StreamException.StreamRenamed(
                "stream '" + head.name() + "' " + what
                        + (shift > 0 ? ", where segment numbers are higher by " + shift : ""),
                now.name(),
                shift,
                Outcome.FAILED);
    }
}
