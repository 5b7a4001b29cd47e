// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the kernel tells of the processors. */
final class CpuTimesTest {
    @Test
    void lineOfTheKernelIsReadByItsColumns() {
        assertThat(CpuTimes.ticks("cpu  10 20 30 40 50 60 70 80 0 0")).containsExactly(10, 20, 30, 40, 50, 60, 70, 80);
        assertThat(CpuTimes.ticks("")).containsOnly(0);
    }

    @Test
    void whatIsNotOursIsForeign() {
        CpuTimes begin = new CpuTimes(0, 0, 0, 0);
        CpuTimes end = new CpuTimes(2_000_000_000L, 1_000_000_000L, 3_000_000_000L, 500_000_000L);

        CpuTimes.CpuUse use = end.since(begin);

        assertThat(use.ourNanos()).isEqualTo(1_000_000_000L);
        assertThat(use.ourCores()).isCloseTo(0.5, within(1e-9));
        assertThat(use.foreignCores()).isCloseTo(1.0, within(1e-9));
        assertThat(use.stolenCores()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void ownProcessHasUsedSomeTimeAndAnUnknownOneNone() {
        long ours = CpuTimes.read(List.of(ProcessHandle.current().pid())).ourNanos();

        assertThat(ours).isPositive();
        assertThat(CpuTimes.read(List.of(Long.MAX_VALUE)).ourNanos()).isZero();
    }
}
