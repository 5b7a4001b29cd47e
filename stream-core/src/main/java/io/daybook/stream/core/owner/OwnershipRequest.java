// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.owner;

import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.WriterOptions.IfOwned;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.segment.Whereabouts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One asking for the ownership of a stream: at once, within a time, or by force. Who waits is told by a notice when the lock becomes free, with a poll behind it (M4); of
 * several who wait any may be next.
 *
 * <p><i>Threading:</i> the loop of the environment.
 */
public final class OwnershipRequest {
    private static final long POLL_NANOS = 1_000_000_000L;
    private static final Duration WAIT_MAX = Duration.ofDays(10_000);

    private final StreamEnvironment environment;
    private final StreamMetadata known;
    private final String stream;
    private final String lockName;
    private final IfOwned ifOwned;
    private final BooleanSupplier isCancelled;
    private final long deadlineNanos;
    private Owner owner;
    private CompletableFuture<Void> noticed = new CompletableFuture<>();
    private Optional<Watch> watch = Optional.empty();

    /** Of the stream that {@code known} is a head of; {@code isCancelled} tells that nobody waits for it any more. */
    public OwnershipRequest(
            StreamEnvironment environment, StreamMetadata known, WriterOptions options, BooleanSupplier isCancelled) {
        this.environment = environment;
        this.known = known;
        this.stream = known.name();
        this.lockName = Ownership.lockName(known);
        this.ifOwned = options.ifOwned();
        this.owner = environment
                .program()
                .labelled(options.label())
                .owner(environment.loop().wallMillis(), environment.freshToken());
        this.isCancelled = isCancelled;
        Duration wait = options.ownershipWaitMax().compareTo(WAIT_MAX) > 0 ? WAIT_MAX : options.ownershipWaitMax();
        this.deadlineNanos = environment.loop().nanoTime() + wait.toNanos();
    }

    /** Completes with the ownership; fails with {@link StreamException}. */
    public CompletableFuture<Ownership> run() {
        CompletableFuture<Ownership> outcome = ifOwned == IfOwned.TAKE_OVER
                ? environment
                        .onLoop(environment.locks().seize(lockName, owner))
                        .thenApply(hold -> new Ownership(environment, known, owner, hold))
                : attempt();
        return outcome.exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(StreamFailures.of(stream, "become its owner", failure)))
                .whenComplete((done, failure) -> watch.ifPresent(Watch::close));
    }

    private CompletableFuture<Ownership> attempt() {
        if (isCancelled.getAsBoolean()) {
            return CompletableFuture.failedFuture(new StreamException.HandleClosed(
                    "stream '" + stream + "': the namespace was closed while its owner was waited for",
                    Outcome.FAILED));
        }
        return environment
                .onLoop(environment.locks().tryAcquire(lockName, owner))
                .handle((attempt, failure) -> {
                    if (attempt instanceof Attempt.Taken taken) {
                        return CompletableFuture.completedFuture(
                                new Ownership(environment, known, owner, taken.hold()));
                    }
                    return attempt instanceof Attempt.Refused refused ? refused(refused.holder()) : again(failure);
                })
                .thenCompose(outcome -> outcome);
    }

    /** An owner that is idle need not know yet that its stream is gone: nobody waits for that. */
    private CompletableFuture<Ownership> refused(Owner holder) {
        return new Whereabouts(environment, known)
                .present()
                .handle((still, failure) -> Failures.rootOf(failure) instanceof StreamException gone
                        ? CompletableFuture.<Ownership>failedFuture(gone)
                        : again(refusal(holder)))
                .thenCompose(outcome -> outcome);
    }

    private StreamException refusal(Owner holder) {
        Instant since = Instant.ofEpochMilli(holder.sinceMillis());
        return new StreamException.StreamOwned(
                "stream '" + stream + "' is owned by " + holder.shown() + " since " + since
                        + ": wait for it to end, or take the stream over",
                holder.shown(),
                since);
    }

    /** Tries again when there is time and use in it; fails with {@code reason} otherwise. */
    private CompletableFuture<Ownership> again(Throwable reason) {
        long left = deadlineNanos - environment.loop().nanoTime();
        boolean mayPass = reason instanceof StreamException.StreamOwned || StreamFailures.isRetryable(reason);
        if (ifOwned == IfOwned.FAIL || left <= 0 || !mayPass) {
            return CompletableFuture.failedFuture(reason);
        }
        // What the attempt before left behind, if anything, is not to be taken for the next one's.
        owner = owner.withToken(environment.freshToken());
        if (watch.isEmpty()) {
            watch = Optional.of(
                    environment.locks().watch(lockName, () -> environment.loop().execute(this::onNotice)));
            // It may have become free before the watch was there.
            return attempt();
        }
        CompletableFuture<Void> notice = noticed;
        CompletableFuture<Object> over = CompletableFuture.anyOf(notice, environment.pause(Math.min(left, POLL_NANOS)));
        return over.thenCompose(either -> attempt());
    }

    private void onNotice() {
        CompletableFuture<Void> told = noticed;
        noticed = new CompletableFuture<>();
        told.complete(null);
    }
}
