// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * What many runs had in common.
 *
 * @param runs how many there were
 * @param fingerprint of all of them, in the order of their seeds: equal for two series that did the same
 * @param events how many events they had
 * @param virtualNanos how long they lasted for those in them
 * @param appendsAcknowledged how many appends were acknowledged
 * @param situations how often each situation was reached in all of them together
 * @param faults how many faults of each kind happened
 * @param failure the first run, by seed, that was not good; no later one is counted
 */
public record Series(
        int runs,
        long fingerprint,
        long events,
        long virtualNanos,
        long appendsAcknowledged,
        SortedMap<String, Long> situations,
        SortedMap<String, Long> faults,
        Optional<RunOutcome> failure) {
    /**
     * Runs seed after seed, until one fails or {@code goOn} says no to the number of runs begun; {@code done} is told of each in the order of the
     * seeds, by the caller. Blocks.
     */
    public static Series run(Seeds seeds, IntPredicate goOn, Consumer<RunOutcome> done) {
        Count count = new Count();
        Deque<CompletableFuture<RunOutcome>> underWay = new ArrayDeque<>();
        int begun = 0;
        boolean goesOn = true;
        while (count.failure.isEmpty()) {
            while (goesOn && underWay.size() < seeds.workers().count()) {
                goesOn = goOn.test(begun);
                if (goesOn) {
                    underWay.add(begin(seeds, begun++));
                }
            }
            CompletableFuture<RunOutcome> next = underWay.poll();
            if (next == null) {
                break;
            }
            RunOutcome outcome = next.join();
            count.add(outcome);
            done.accept(outcome);
        }
        return count.series();
    }

    private static CompletableFuture<RunOutcome> begin(Seeds seeds, int number) {
        CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
        seeds.workers().executor().execute(() -> {
            try {
                outcome.complete(seeds.run(number));
            } catch (RuntimeException | Error failure) {
                outcome.completeExceptionally(
                        new IllegalStateException("seed " + (seeds.first() + number) + " could not be run", failure));
            }
        });
        return outcome;
    }

    /** Hours that passed in the runs for each hour of the caller, of which there were so many nanoseconds. */
    public double speed(long realNanos) {
        return (double) virtualNanos / Math.max(1, realNanos);
    }

    private static final class Count {
        private final SortedMap<String, Long> situations = new TreeMap<>();
        private final SortedMap<String, Long> faults = new TreeMap<>();
        private int runs;
        private long fingerprint;
        private long events;
        private long nanos;
        private long acknowledged;
        private Optional<RunOutcome> failure = Optional.empty();

        private void add(RunOutcome outcome) {
            runs++;
            fingerprint = SimulatedRandom.mix(fingerprint, Stream.WORLD, outcome.traceHash(), runs);
            events += outcome.events();
            nanos += outcome.virtualNanos();
            acknowledged += outcome.appendsAcknowledged();
            outcome.situations().forEach((situation, count) -> situations.merge(situation, count, Long::sum));
            outcome.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
            if (!outcome.isGood()) {
                failure = Optional.of(outcome);
            }
        }

        private Series series() {
            return new Series(runs, fingerprint, events, nanos, acknowledged, situations, faults, failure);
        }
    }
}
