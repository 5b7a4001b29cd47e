// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the kernel tells of a block device. */
final class DeviceWritesTest {
    @Test
    void sectorsAndFlushesAreReadByTheirColumns() {
        assertThat(DeviceWrites.parse("  1 2 3 4 5 6 700 8 9 10 11 12 13 14 15 16 17\n"))
                .contains(new DeviceWrites(700 * 512, 16));
        assertThat(DeviceWrites.parse("1 2 3")).isEmpty();
    }

    @Test
    void oneReadingIsTakenFromTheOther() {
        assertThat(new DeviceWrites(1_000, 9).since(new DeviceWrites(400, 4))).isEqualTo(new DeviceWrites(600, 5));
    }
}
