// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The way of one process to the metadata store: requests and answers travel for a while and keep their order; both can get lost.
 *
 * <p><i>Invariants:</i> {@link Code#UNAVAILABLE} only when nothing was changed and nothing will be; every future completes exactly once.
 * <i>Threading:</i> the thread that drives the world.
 */
final class MetadataSession {
    private static final long RETRY_NANOS = 20_000_000L;

    private final MetadataConditions conditions;
    private final String machine;
    private long lastRequestNanos;
    private long lastAnswerNanos;
    private boolean isClosed;

    MetadataSession(MetadataConditions conditions, String machine) {
        this.conditions = conditions;
        this.machine = machine;
    }

    /** No request is answered any more but with {@link Code#CLOSED}. */
    void close() {
        isClosed = true;
    }

    /** Asks something that changes nothing. */
    <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        travel(outcome, () -> answer(outcome, question.get(), Code.UNAVAILABLE));
        return outcome;
    }

    /** Asks for a change, of which the caller may never hear. */
    <T> CompletableFuture<T> change(Supplier<CompletableFuture<T>> change) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        travel(outcome, () -> {
            if (!conditions.drawsUnknown()) {
                answer(outcome, change.get(), Code.OUTCOME_UNKNOWN);
                return;
            }
            switch (conditions.drawBelow(3)) {
                case 0 -> unheard(change, BookieSituations.UNKNOWN_TOOK_EFFECT);
                case 1 ->
                    conditions.at(
                            conditions.nanoTime() + conditions.drawLateNanos(),
                            () -> unheard(change, BookieSituations.UNKNOWN_CAME_LATE));
                default -> {}
            }
            fail(outcome, Code.OUTCOME_UNKNOWN);
        });
        return outcome;
    }

    private <T> void unheard(Supplier<CompletableFuture<T>> change, String situation) {
        change.get().whenComplete((value, failure) -> {
            if (failure == null) {
                conditions.count(situation);
            }
        });
    }

    /** A change whose outcome its caller always learns, in the end: the store settles it by itself. */
    <T> CompletableFuture<T> settled(Supplier<CompletableFuture<T>> change) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        travel(outcome, () -> answerAtLast(outcome, change.get()));
        return outcome;
    }

    /** Something that happens at the store, of which this process hears when the store can be reached. */
    <T> CompletableFuture<T> heard(CompletableFuture<T> event) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        event.whenComplete((value, failure) -> {
            if (!isClosed) {
                answerAtLast(outcome, event);
            }
        });
        return outcome;
    }

    private <T> void answerAtLast(CompletableFuture<T> outcome, CompletableFuture<T> made) {
        conditions.at(conditions.nanoTime() + conditions.drawLatencyNanos(), () -> {
            if (conditions.isReachableFrom(machine)) {
                hand(made, outcome);
            } else {
                conditions.at(conditions.nanoTime() + RETRY_NANOS, () -> answerAtLast(outcome, made));
            }
        });
    }

    private static <T> void hand(CompletableFuture<T> made, CompletableFuture<T> outcome) {
        made.whenComplete((value, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else {
                outcome.complete(value);
            }
        });
    }

    /** A watch whose notices take a while or get lost. */
    Watch watch(Function<Runnable, Watch> watch, Runnable listener) {
        return watch.apply(() -> {
            if (!conditions.drawsLostNotice() && conditions.isReachableFrom(machine)) {
                conditions.at(conditions.nanoTime() + conditions.drawLatencyNanos(), () -> {
                    if (!isClosed) {
                        listener.run();
                    }
                });
            }
        });
    }

    private <T> void travel(CompletableFuture<T> outcome, Runnable arrival) {
        lastRequestNanos = Math.max(lastRequestNanos, conditions.nanoTime() + conditions.drawLatencyNanos());
        long deadline = lastRequestNanos + conditions.requestNanosMax();
        conditions.at(lastRequestNanos, () -> arrive(outcome, arrival, deadline));
    }

    private <T> void arrive(CompletableFuture<T> outcome, Runnable arrival, long deadlineNanos) {
        if (isClosed) {
            outcome.completeExceptionally(failure(Code.CLOSED));
        } else if (conditions.isReachableFrom(machine)) {
            arrival.run();
        } else if (conditions.nanoTime() >= deadlineNanos) {
            outcome.completeExceptionally(failure(Code.UNAVAILABLE));
        } else {
            conditions.at(conditions.nanoTime() + RETRY_NANOS, () -> arrive(outcome, arrival, deadlineNanos));
        }
    }

    /** The store answers within its call; {@code lost} is what the caller is told when the answer does not reach it. */
    private <T> void answer(CompletableFuture<T> outcome, CompletableFuture<T> made, Code lost) {
        lastAnswerNanos = Math.max(lastAnswerNanos, conditions.nanoTime() + conditions.drawLatencyNanos());
        conditions.at(lastAnswerNanos, () -> {
            if (!conditions.isReachableFrom(machine)) {
                fail(outcome, lost);
                return;
            }
            hand(made, outcome);
        });
    }

    private <T> void fail(CompletableFuture<T> outcome, Code code) {
        long wait = conditions.drawLatencyNanos() + conditions.drawLateNanos();
        conditions.at(conditions.nanoTime() + wait, () -> outcome.completeExceptionally(failure(code)));
    }

    private MetadataException failure(Code code) {
        return new MetadataException(code, "the metadata store did not answer " + machine + " (" + code + ")");
    }
}
