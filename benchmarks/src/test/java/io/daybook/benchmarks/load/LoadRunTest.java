// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of load against lanes that answer as they are told. */
final class LoadRunTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    @Test
    void openLoopKeepsItsScheduleAndAccountsForEveryRequest() throws InterruptedException {
        try (HoldingLane first = HoldingLane.prompt();
                HoldingLane second = HoldingLane.prompt()) {
            LoadOutcome outcome = run(List.of(first, second), new Pace.Rate(1_000));

            assertThat(outcome.isClean()).isTrue();
            // Every request that was due in the part that counts is in the histogram, however late it was made.
            assertThat(outcome.latencies().getTotalCount()).isBetween(299L, 301L);
            assertThat(outcome.lateness().getTotalCount()).isGreaterThanOrEqualTo(300);
        }
    }

    @Test
    void latencyCountsFromTheDueTimeWhileTheSystemStalls() throws InterruptedException {
        // Nothing is answered until 1,600 requests wait: all of the ramp of 1.5 s and a tenth of a second of the part
        // that counts.
        try (HoldingLane lane = new HoldingLane(1_600, -1)) {
            LoadOutcome outcome = run(List.of(lane), new Pace.Rate(1_000));

            assertThat(outcome.isClean()).isTrue();
            assertThat(outcome.latencies().getTotalCount()).isBetween(299L, 301L);
            assertThat(outcome.latencies().getMaxValue())
                    .isGreaterThan(Duration.ofMillis(90).toNanos());
            assertThat(outcome.latencies()
                            .getCountBetweenValues(
                                    Duration.ofMillis(10).toNanos(),
                                    Duration.ofMinutes(1).toNanos()))
                    .isGreaterThan(80);
            assertThat(outcome.slowMoments().get(0).longestNanos())
                    .isCloseTo(outcome.latencies().getMaxValue(), withinPercentage(1));
        }
    }

    @Test
    void closedLoopNeverHasMoreThanItsWindowUnderWay() throws InterruptedException {
        try (HoldingLane lane = new HoldingLane(7, -1)) {
            LoadOutcome outcome = run(List.of(lane), new Pace.Window(7));

            assertThat(outcome.isClean()).isTrue();
            assertThat(outcome.acknowledged())
                    .isPositive()
                    .isEqualTo(outcome.latencies().getTotalCount());
            assertThat(lane.mostUnderWay()).isEqualTo(7);
        }
    }

    @Test
    void windowIsSpreadOverTheLanes() throws InterruptedException {
        try (HoldingLane first = new HoldingLane(4, -1);
                HoldingLane second = new HoldingLane(3, -1)) {
            LoadOutcome outcome = run(List.of(first, second), new Pace.Window(7));

            assertThat(outcome.isClean()).isTrue();
            assertThat(first.mostUnderWay()).isEqualTo(4);
            assertThat(second.mostUnderWay()).isEqualTo(3);
        }
    }

    @Test
    void failureEndsTheRunEarlyAndIsReported() throws InterruptedException {
        try (HoldingLane lane = new HoldingLane(1, 50)) {
            long begin = System.nanoTime();

            LoadOutcome outcome = new LoadRun(List.of(lane), new Pace.Rate(1_000), 100)
                    .run(Duration.ofMinutes(2), LoadRun.Edges.NONE);

            assertThat(System.nanoTime() - begin)
                    .isLessThan(Duration.ofMinutes(1).toNanos());
            assertThat(outcome.isClean()).isFalse();
            assertThat(outcome.failed()).isEqualTo(1);
            assertThat(outcome.firstFailure()).isEqualTo("request 50 is to fail");
        }
    }

    @Test
    void edgesFrameThePartThatCounts() throws InterruptedException {
        List<String> told = new ArrayList<>();
        try (HoldingLane lane = HoldingLane.prompt()) {
            new LoadRun(List.of(lane), new Pace.Window(1), 100).run(SHORT, new LoadRun.Edges() {
                @Override
                public void begin() {
                    told.add("begin");
                }

                @Override
                public void end() {
                    told.add("end");
                }
            });
        }

        assertThat(told).containsExactly("begin", "end");
    }

    private static LoadOutcome run(List<Lane> lanes, Pace pace) throws InterruptedException {
        return new LoadRun(lanes, pace, 100).run(SHORT, LoadRun.Edges.NONE);
    }
}
