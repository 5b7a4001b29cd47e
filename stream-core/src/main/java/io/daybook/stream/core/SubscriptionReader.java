// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.LockStore.Hold;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.concurrent.CompletableFuture;

/**
 * The exclusive reader of a subscription. Its lock keeps polite readers apart; what fences is the version of the subscription, which whoever takes it changes.
 *
 * <p><i>Threading:</i> any thread; {@link #last} lives on the loop of the environment.
 */
final class SubscriptionReader implements ExclusiveReader {
    /** A subscription that was taken, and its lock. */
    record Taken(Subscription subscription, Hold hold) {}

    private final StreamSubscriptions subscriptions;
    private final StreamEnvironment environment;
    private final Hold hold;
    private final LogReader reader;
    private CompletableFuture<Subscription> last;

    SubscriptionReader(
            StreamSubscriptions subscriptions, StreamEnvironment environment, Taken taken, LogReader reader) {
        this.subscriptions = subscriptions;
        this.environment = environment;
        this.hold = taken.hold();
        this.reader = reader;
        this.last = CompletableFuture.completedFuture(taken.subscription());
        // Whoever has lost it reads no further beside the one who has it now.
        environment.loop().resume(hold.lost(), (lost, failure) -> reader.close());
    }

    @Override
    public LogReader reader() {
        return reader;
    }

    @Override
    public CompletableFuture<Subscription> commit(DLSN done) {
        DLSN next = done.slot() < Integer.MAX_VALUE
                ? new DLSN(done.segment(), done.entry(), done.slot() + 1)
                : new DLSN(done.segment(), done.entry() + 1, 0);
        CompletableFuture<Subscription> outcome = new CompletableFuture<>();
        environment.loop().execute(() -> {
            CompletableFuture<Subscription> before = last;
            last = before.thenCompose(present -> subscriptions.set(present, next));
            last.whenComplete((committed, failure) -> {
                if (failure != null) {
                    outcome.completeExceptionally(Failures.rootOf(failure));
                } else {
                    outcome.complete(committed);
                }
            });
        });
        return outcome;
    }

    @Override
    public void close() {
        reader.close();
        hold.release();
    }
}
