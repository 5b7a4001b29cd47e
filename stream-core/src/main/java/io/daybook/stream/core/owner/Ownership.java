// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.owner;

import io.daybook.metadata.LockStore;
import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.OwnedStream;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of a stream's writer as its owner holds it. Who owns the stream is decided by its head alone: a writer whose lock is lost, because its session ended or somebody
 * seized it, goes on as long as the head is its own, and takes the lock again when it is free (M5). Once the head is another's the writer is told so, be it idle or not.
 *
 * <p><i>States:</i> see {@link State}. <i>Threading:</i> the loop of the environment.
 */
public final class Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final long LOOK_NANOS = 1_000_000_000L;

    private enum State {
        /** The lock is held. */
        HELD,
        /** The lock is not held, the stream may still be owned. */
        LOST,
        /** Given up. */
        RELEASED
    }

    private final StreamEnvironment environment;
    private final LockStore locks;
    private final String stream;
    private final String lockName;
    private final Owner owner;
    private final CompletableFuture<StreamException> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private State state = State.HELD;
    private Hold hold;

    Ownership(StreamEnvironment environment, StreamMetadata known, Owner owner, Hold hold) {
        this.environment = environment;
        this.locks = environment.locks();
        this.stream = known.name();
        this.lockName = lockName(known);
        this.owner = owner;
        this.hold = hold;
    }

    /**
     * The name of the lock of a stream's writer. It is of the incarnation, so that the owner of a stream that is gone is in nobody's way where another one has its name (S14). Streams that
     * programs of before renames write as well have the lock by the name that those know.
     */
    static String lockName(StreamMetadata known) {
        return "writer "
                + (known.home().isBelowName()
                        ? known.name()
                        : known.incarnation().hex());
    }

    /**
     * Makes the owner of a stream, if it has one, look at the head, which {@code changed} is or comes before: its lock is another's for a moment. Never fails: an owner that is not
     * told now hears of the change with its next entry. That of a stream whose home is below its name is not told: the lock has that name, and may be the owner's of another stream by now (S14).
     */
    public static CompletableFuture<Void> makeOwnerLook(StreamEnvironment environment, StreamMetadata changed) {
        if (changed.home().isBelowName()) {
            return CompletableFuture.completedFuture(null);
        }
        String name = lockName(changed);
        LockStore locks = environment.locks();
        Owner other = environment.program().owner(environment.loop().wallMillis(), environment.freshToken());
        return environment
                .onLoop(locks.holder(name))
                .thenCompose(holder -> holder.isEmpty()
                        ? CompletableFuture.<Void>completedFuture(null)
                        : environment
                                .onLoop(locks.seize(name, other))
                                .thenCompose(hold -> environment.onLoop(hold.release())))
                .exceptionally(failure -> {
                    LOG.debug("stream={} state=OWNER_NOT_TOLD reason={}", changed.name(), failure.getMessage());
                    return null;
                });
    }

    /** Who owns it, for people. */
    public String shown() {
        return owner.shown();
    }

    /** Looks after the ownership for the writer of {@code owned} until it is released; completes, with why, when the stream is another's. */
    public CompletableFuture<StreamException> guard(OwnedStream owned) {
        watch(owned);
        return ended;
    }

    private void watch(OwnedStream owned) {
        environment.onLoop(hold.lost()).thenAccept(lost -> {
            if (state == State.HELD) {
                state = State.LOST;
                LOG.debug("stream={} epoch={} state=LOCK_LOST", stream, owned.epoch());
                look(owned, 1);
            }
        });
    }

    private void look(OwnedStream owned, int number) {
        owned.requireStillOwned()
                .thenCompose(still ->
                        environment.onLoop(locks.tryAcquire(lockName, owner.withToken(environment.freshToken()))))
                .whenComplete((attempt, failure) -> {
                    if (state == State.RELEASED) {
                        giveBack(attempt);
                    } else if (attempt instanceof Attempt.Taken taken) {
                        state = State.HELD;
                        hold = taken.hold();
                        LOG.debug("stream={} epoch={} state=LOCK_TAKEN_AGAIN", stream, owned.epoch());
                        watch(owned);
                    } else if (failure == null || StreamFailures.isRetryable(failure)) {
                        lookLater(owned, failure == null ? 1 : number + 1);
                    } else {
                        ended.complete(StreamFailures.of(stream, "go on as its owner", failure));
                    }
                });
    }

    private static void giveBack(Attempt attempt) {
        if (attempt instanceof Attempt.Taken taken) {
            taken.hold().release();
        }
    }

    private void lookLater(OwnedStream owned, int number) {
        environment.loop().schedule(Math.max(LOOK_NANOS, Retry.pauseNanos(number)), () -> {
            if (state == State.LOST) {
                look(owned, number);
            }
        });
    }

    /** Gives the lock back: the writer has ended, or was never opened. Completes, on the loop, when it is free or cannot be given back now; never fails. Idempotent. */
    public CompletableFuture<Void> release() {
        if (state == State.RELEASED) {
            return released;
        }
        state = State.RELEASED;
        environment.loop().resume(hold.release(), (done, failure) -> {
            if (failure != null) {
                // It is free at the latest when the session ends.
                LOG.debug("stream={} state=LOCK_NOT_GIVEN_BACK reason={}", stream, failure.getMessage());
            }
            released.complete(null);
        });
        return released;
    }
}
