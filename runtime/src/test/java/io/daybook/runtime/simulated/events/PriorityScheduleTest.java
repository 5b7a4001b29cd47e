// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ranks of loops: drawn, kept between changes, and different for different loops. */
final class PriorityScheduleTest {
    private static final long STEP = 1_000;

    @Test
    void loopKeepsItsRankUntilAChange() {
        PrioritySchedule schedule = new PrioritySchedule(7, 4, STEP, 0, 1_000_000);

        for (long loop = 1; loop < 20; loop++) {
            long first = schedule.waitNanos(loop, 0);
            assertThat(first).isBetween(0L, 3 * STEP);
            assertThat(schedule.waitNanos(loop, 999_999)).isEqualTo(first);
        }
    }

    @Test
    void loopsHaveDifferentRanks() {
        PrioritySchedule schedule = new PrioritySchedule(7, 4, STEP, 0, 1_000_000);
        Set<Long> waits = new TreeSet<>();
        for (long loop = 1; loop < 20; loop++) {
            waits.add(schedule.waitNanos(loop, 0));
        }

        assertThat(waits).containsExactly(0L, STEP, 2 * STEP, 3 * STEP);
    }

    @Test
    void someLoopsChangeTheirRanks() {
        PrioritySchedule schedule = new PrioritySchedule(7, 4, STEP, 3, 1_000_000);
        int changed = 0;
        for (long loop = 1; loop <= 100; loop++) {
            changed += schedule.waitNanos(loop, 0) == schedule.waitNanos(loop, 1_000_000) ? 0 : 1;
        }

        assertThat(changed).isBetween(20, 90);
    }
}
