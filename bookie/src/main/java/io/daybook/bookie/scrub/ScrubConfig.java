// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import io.daybook.runtime.settings.SettingsLoader;
import java.time.Duration;

/** How a bookie looks for damage in its files. */
@SettingsGroup("bookie.scrub")
public record ScrubConfig(
        @Setting(
                doc = "Bytes a second of entry logs and index files that are read to find damage, on the average; 0 for"
                        + " none. Raise it when a round takes longer than damage may stay unnoticed, lower it when it"
                        + " disturbs reads.",
                defaultValue = "8MiB",
                min = "0",
                max = "10GiB",
                inBytes = true)
        long bytesPerSecondMax,

        @Setting(
                doc = "Pause between the end of one round over all files and the beginning of the next.",
                defaultValue = "24h",
                min = "10ms",
                max = "365d")
        Duration interval) {
    /** Checks the bounds; throws {@link IllegalArgumentException} that names the setting. */
    public ScrubConfig {
        if (bytesPerSecondMax < 0) {
            throw new IllegalArgumentException("bookie.scrub.bytes-per-second-max must be 0 or more");
        }
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("bookie.scrub.interval must be more than 0");
        }
    }

    /** What holds when nothing is set. */
    public static ScrubConfig defaults() {
        return SettingsLoader.defaults(ScrubConfig.class);
    }

    /** Whether anything is checked. */
    public boolean isOn() {
        return bytesPerSecondMax > 0;
    }
}
