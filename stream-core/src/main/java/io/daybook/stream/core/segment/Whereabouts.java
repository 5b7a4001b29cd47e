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
    private final StreamEnvironment environment;
    private final StreamMetadata head;

    /** Of the stream of {@code head}, which need not be the present one. */
    public Whereabouts(StreamEnvironment environment, StreamMetadata head) {
        this.environment = environment;
        this.head = head;
    }

    /** Its name now; empty when it was deleted. */
    public CompletableFuture<Optional<String>> name() {
        return environment
                .onLoop(environment.metadata().nameOf(head.identity()))
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * The present head of the name, which is still this stream's and not being deleted; fails with {@link StreamException.StreamRenamed} or
     * {@link StreamException.StreamNotFound} otherwise, or with what the store says.
     */
    public CompletableFuture<Versioned<StreamMetadata>> present() {
        return environment
                .onLoop(environment.metadata().read(head.name()))
                .thenCompose(now -> now.value().incarnation().equals(head.incarnation())
                        ? CompletableFuture.completedFuture(StreamFailures.requireNotDeleting(now))
                        : this.<Versioned<StreamMetadata>>told())
                .exceptionallyCompose(this::orTold);
    }

    /** Fails as {@link #present} does where {@code failure} says that nothing has the name, and with {@code failure} otherwise. */
    public <T> CompletableFuture<T> orTold(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                ? told()
                : CompletableFuture.failedFuture(failure);
    }

    /** Fails with {@link StreamException.StreamRenamed} when the stream has another name now, and with {@code otherwise} when not. */
    public <T> CompletableFuture<T> orElse(StreamException otherwise) {
        return name().thenCompose(name -> {
            requireSameName(name);
            return CompletableFuture.failedFuture(otherwise);
        });
    }

    private void requireSameName(Optional<String> name) {
        if (name.isPresent() && !name.get().equals(head.name())) {
            throw new StreamException.StreamRenamed(
                    "stream '" + head.name() + "' was renamed to '" + name.get() + "': open it under that name",
                    name.get(),
                    Outcome.FAILED);
        }
    }

    private <T> CompletableFuture<T> told() {
        return name().thenApply(name -> {
            requireSameName(name);
            throw new StreamException.StreamNotFound("stream '" + head.name() + "' was deleted"
                    + (name.isPresent() ? ", or renamed and renamed back: open it anew" : ""));
        });
    }
}
