// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.bookies.BookieLinks;
import io.daybook.ledger.bookies.LiveBookies;
import io.daybook.ledger.placement.Choice;
import io.daybook.ledger.placement.Placement;
import io.daybook.ledger.placement.Seats;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.Timer;
import io.daybook.runtime.waiting.InternalLoops;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of the handles that live on one loop.
 *
 * @param internal the loops of the client, where nobody may wait for the futures that it makes for callers
 * @param ended completes when the client has ended and its loop is about to
 */
public record HandleContext(
        EventLoop loop,
        BookieLinks links,
        LiveBookies bookies,
        Placement placement,
        LedgerMetadataStore ledgers,
        RandomSource random,
        Faults faults,
        Timeouts timeouts,
        DamageReports damage,
        Listeners listeners,
        InternalLoops internal,
        CompletableFuture<Void> ended) {
    /** A token for one metadata write. */
    public WriteToken freshToken() {
        return new WriteToken(random.nextLong(), random.nextLong());
    }

    /** Bookies for the open seats, none of those excluded. */
    public Choice choose(Seats seats, Collection<BookieId> excluded) {
        return placement.choose(bookies.all(), seats, excluded, loop.nanoTime());
    }

    /**
     * Makes a call on the metadata stores and hands its outcome to one of the two, later, on the loop. When there is none within the add time-out nobody
     * knows whether it will take effect, and what comes later is ignored. When the store throws or answers with nothing, or {@code succeeded} throws, which are
     * bugs, {@code failed} is told, so that nobody waits for ever (V7).
     */
    public <T> void resume(
            Supplier<? extends CompletionStage<T>> call,
            Consumer<? super T> succeeded,
            Consumer<? super Throwable> failed) {
        CompletionStage<T> stage;
        try {
            stage = call.get();
        } catch (RuntimeException bug) {
            failed.accept(bug);
            return;
        }
        Answer<T> answer = new Answer<>(succeeded, failed);
        Timer deadline = loop.schedule(timeouts.add(), () -> answer.settle(null, noAnswer()));
        loop.resume(stage, (value, failure) -> {
            deadline.cancel();
            answer.settle(value, failure);
        });
    }

    private static MetadataException noAnswer() {
        return new MetadataException(
                MetadataException.Code.OUTCOME_UNKNOWN, "the metadata store did not answer in time");
    }

    /** The first outcome counts. */
    private static final class Answer<T> {
        private final Consumer<? super T> succeeded;
        private final Consumer<? super Throwable> failed;
        private boolean isSettled;

        Answer(Consumer<? super T> succeeded, Consumer<? super Throwable> failed) {
            this.succeeded = succeeded;
            this.failed = failed;
        }

        void settle(@Nullable T value, @Nullable Throwable failure) {
            if (isSettled) {
                return;
            }
            isSettled = true;
            if (failure != null) {
                failed.accept(failure);
            } else {
                succeed(value);
            }
        }

        private void succeed(@Nullable T value) {
            try {
                succeeded.accept(Objects.requireNonNull(value, "the metadata store answers with nothing"));
            } catch (RuntimeException bug) {
                failed.accept(bug);
                throw bug;
            }
        }
    }

    /** Runs a task on the loop, after all that others have had run there before. Returns false, and does nothing, when the client has ended. */
    public boolean runInTurn(Runnable task) {
        if (ended.isDone()) {
            return false;
        }
        loop.execute(task);
        return true;
    }

    /** Runs a task on the loop: now, when the caller is on it. Returns false, and does nothing, when the client has ended. */
    public boolean run(Runnable task) {
        if (loop.isInLoop()) {
            task.run();
            return true;
        }
        return runInTurn(task);
    }
}
