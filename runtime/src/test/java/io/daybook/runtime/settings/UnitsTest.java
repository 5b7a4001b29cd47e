// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes and durations as people write them. */
final class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "512, 512, 512",
        "512B, 512, 512",
        "64KiB, 65536, 64KiB",
        "1024KiB, 1048576, 1MiB",
        "3 GiB, 3221225472, 3GiB",
        "1TiB, 1099511627776, 1TiB",
        "1500, 1500, 1500",
        "1536KiB, 1572864, 1536KiB",
        "2048TiB, 2251799813685248, 2048TiB"
    })
    void sizeIsReadAndWritten(String text, long bytes, String written) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes)).hasToString(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KiB", "-1", "1.5MiB", "64kb", "64 K", "999999999999999999GiB", "99999999999999999999"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void negativeSizeIsRefused() {
        assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "250us, 250000, 250us",
        "5ms, 5000000, 5ms",
        "1000ms, 1000000000, 1s",
        "1m, 60000000000, 1m",
        "90 s, 90000000000, 90s",
        "24h, 86400000000000, 1d",
        "PT1M30S, 90000000000, 90s",
        "7ns, 7, 7ns",
        "P1D, 86400000000000, 1d"
    })
    void durationIsReadAndWritten(String text, long nanos, String written) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofNanos(nanos));
        assertThat(Durations.format(Duration.ofNanos(nanos))).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "ms", "-5ms", "PT-5S", "1.5s", "5 sec", "P", "999999d", "999999999999999999d"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"ringFiles, ring-files", "groupCommitBytesMax, group-commit-bytes-max", "p99Max, p99-max", "name, name"
    })
    void componentNameBecomesWords(String component, String words) {
        assertThat(SettingSpec.wordsOf(component)).isEqualTo(words);
    }
}
