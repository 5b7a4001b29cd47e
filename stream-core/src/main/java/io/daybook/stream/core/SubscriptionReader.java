// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.LockStore.Hold;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream.ExclusiveReader;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.reader.ReaderHandle;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The exclusive reader of a subscription. Its lock keeps polite readers apart; what fences is the version of the subscription, which whoever takes it changes.
 *
 * <p><i>Threading:</i> any thread; {@link #last} lives on the loop of the environment.
 */
final class SubscriptionReader implements ExclusiveReader {
    /** A subscription that was taken, the name of its lock, and that. */
    record Taken(Subscription subscription, String lock, Hold hold) {}

    private final StreamSubscriptions subscriptions;
    private final StreamEnvironment environment;
    private final Hold hold;
    private final ReaderHandle reader;
    private CompletableFuture<Known> last;

    /**
     * What is known of the subscription.
     *
     * @param certain as it was last seen
     * @param perhaps where it may stand instead, after commits that failed in a way that may pass
     */
    private record Known(Subscription certain, List<DLSN> perhaps) {
        Known orAt(DLSN next) {
            List<DLSN> more = new ArrayList<>(perhaps);
            more.add(next);
            return new Known(certain, more);
        }

        /** One that was deleted and made anew counts its epochs anew. */
        boolean mayBe(Subscription now) {
            return now.created().equals(certain.created())
                    && now.epoch() == certain.epoch()
                    && perhaps.contains(now.next());
        }
    }

    SubscriptionReader(
            StreamSubscriptions subscriptions, StreamEnvironment environment, Taken taken, ReaderHandle reader) {
        this.subscriptions = subscriptions;
        this.environment = environment;
        this.hold = taken.hold();
        this.reader = reader;
        this.last = CompletableFuture.completedFuture(new Known(taken.subscription(), List.of()));
        // Whoever has lost it reads no further beside the one who has it now.
        reader.loop().resume(hold.lost(), (lost, failure) -> reader.stop(why(taken)));
    }

    /** Why it was lost: somebody has its lock, or nobody has it because the session ended with which it was held. */
    private CompletableFuture<StreamException> why(Taken taken) {
        CompletableFuture<StreamException> why = new CompletableFuture<>();
        reader.loop().resume(environment.locks().holder(taken.lock()), (holder, failure) -> {
            String what = subscriptions.what(taken.subscription().id());
            boolean isKnown = failure == null && holder.isPresent();
            why.complete(new StreamException.SubscriptionChanged(
                    isKnown
                            ? what + " was taken by " + holder.get().shown() + " at "
                                    + Instant.ofEpochMilli(holder.get().sinceMillis())
                                    + ": wait for it to end, or take it over"
                            : what + " was lost with the session of this program at the metadata store"
                                    + (failure == null ? "" : ", or taken by somebody else")
                                    + ": open a reader anew"));
        });
        return why;
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
            CompletableFuture<Known> before = last;
            CompletableFuture<Subscription> moved = before.thenCompose(known -> move(known, next));
            last = moved.handle((committed, failure) -> {
                        if (failure == null) {
                            return CompletableFuture.completedFuture(new Known(committed, List.of()));
                        }
                        return mayPass(failure)
                                ? before.thenApply(known -> known.orAt(next))
                                : CompletableFuture.<Known>failedFuture(failure);
                    })
                    .thenCompose(known -> known);
            moved.whenComplete((committed, failure) -> {
                if (failure != null) {
                    outcome.completeExceptionally(Failures.rootOf(failure));
                } else {
                    outcome.complete(committed);
                }
            });
        });
        return outcome;
    }

    private CompletableFuture<Subscription> move(Known known, DLSN next) {
        return subscriptions.set(known.certain(), next).exceptionallyCompose(failure -> {
            boolean isChanged = Failures.rootOf(failure) instanceof StreamException.SubscriptionChanged;
            return isChanged && !known.perhaps().isEmpty()
                    ? subscriptions
                            .find(known.certain().id())
                            .thenCompose(now -> known.mayBe(now)
                                    ? subscriptions.set(now, next)
                                    : CompletableFuture.failedFuture(failure))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private static boolean mayPass(Throwable failure) {
        return Failures.rootOf(failure) instanceof StreamException.Unavailable;
    }

    @Override
    public void close() {
        reader.close();
        hold.release();
    }
}
