// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.owner.Ownership;
import io.daybook.stream.core.owner.OwnershipRequest;
import io.daybook.stream.core.segment.InternalThreads;
import io.daybook.stream.core.segment.OwnedStream;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.takeover.TakeOver;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Opens a writer: becomes the owner, takes the stream over from whoever wrote it, and keeps the ownership as long as the writer works.
 *
 * <p><i>Invariants:</i> a lock that was taken is given back when the opening fails (D-54) and when the writer has ended. <i>Threading:</i> the loop of the environment.
 */
public final class WriterOpening {
    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final WriterOptions options;
    private final InternalThreads internal;

    /** Of the stream that {@code known} is a head of. */
    public WriterOpening(
            StreamEnvironment environment, StreamMetadata known, WriterOptions options, InternalThreads internal) {
        this.environment = environment;
        this.known = known;
        this.options = options;
        this.internal = internal;
    }

    /** Completes with the writer; {@code isCancelled} tells that nobody waits for it any more. */
    public CompletableFuture<WriterHandle> run(BooleanSupplier isCancelled) {
        return new OwnershipRequest(environment, known, options, isCancelled)
                .run()
                .thenCompose(ownership -> new TakeOver(environment, known, ownership.shown())
                        .run()
                        .thenApply(owned -> writer(owned, ownership))
                        .whenComplete((writer, failure) -> {
                            if (failure != null) {
                                ownership.release();
                            }
                        }));
    }

    private WriterHandle writer(OwnedStream owned, Ownership ownership) {
        WriterMachine machine =
                new WriterMachine(environment, owned, options, new Intake(environment.loop(), internal));
        // Whoever closes a writer may have another program open one at once.
        CompletableFuture<Void> free =
                machine.closed().handle((done, failure) -> ownership.release()).thenCompose(released -> released);
        ownership.guard(owned).thenAccept(machine::onOwnershipEnded);
        return new WriterHandle(machine, free, internal);
    }
}
