// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import io.daybook.runtime.settings.SettingsLoader;
import java.time.Duration;

/** How a bookie gets space back. */
@SettingsGroup("bookie.cleanup")
public record CleanupConfig(
        @Setting(
                doc = "How often the bookie asks which of its ledgers are gone and looks for logs worth compaction."
                        + " Shorter gives space back sooner and asks the metadata store more often.",
                defaultValue = "5m",
                min = "10ms",
                max = "24h")
        Duration interval,

        @Setting(
                doc = "How long a ledger must have been found gone before it is asked for a second time and its entries"
                        + " are given up. Raise it where metadata may be restored from a copy.",
                defaultValue = "10m",
                min = "0ms",
                max = "30d")
        Duration grace,

        @Setting(
                doc = "How long removed logs are kept as files ending in .trash before they are unlinked, so that a"
                        + " wrong deletion can be undone by hand. They go earlier when the disk gets full.",
                defaultValue = "1h",
                min = "0ms",
                max = "30d")
        Duration trashRetention,

        @Setting(
                doc =
                        "A log of which at most this share of bytes, in percent, is alive is compacted at the next round.",
                defaultValue = "30",
                min = "0",
                max = "90")
        int minorLivePercent,

        @Setting(
                doc = "A log of which at most this share of bytes, in percent, is alive is compacted once in a major"
                        + " interval. Raise it where space is dearer than disk traffic.",
                defaultValue = "80",
                min = "0",
                max = "99")
        int majorLivePercent,

        @Setting(
                doc = "How often logs are compacted by the share for major compaction.",
                defaultValue = "24h",
                min = "10ms",
                max = "365d")
        Duration majorInterval,

        @Setting(
                doc = "Bytes a second, read and written together, that compaction moves at most. Raise it when space"
                        + " comes back too slowly, lower it when it disturbs appends.",
                defaultValue = "32MiB",
                min = "1KiB",
                max = "10GiB",
                inBytes = true)
        long bytesPerSecondMax) {
    /** Checks what no single bound can; throws {@link IllegalArgumentException} that names the setting. */
    public CleanupConfig {
        check(!interval.isNegative() && !interval.isZero(), "bookie.cleanup.interval must be more than 0");
        check(!grace.isNegative(), "bookie.cleanup.grace must be 0 or more");
        check(!trashRetention.isNegative(), "bookie.cleanup.trash-retention must be 0 or more");
        check(
                !majorInterval.isNegative() && !majorInterval.isZero(),
                "bookie.cleanup.major-interval must be more than 0");
        check(bytesPerSecondMax >= 1, "bookie.cleanup.bytes-per-second-max must be 1 or more");
        check(
                minorLivePercent <= majorLivePercent,
                "bookie.cleanup.minor-live-percent is more than bookie.cleanup.major-live-percent: set it lower");
    }

    private static void check(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** What holds when nothing is set. */
    public static CleanupConfig defaults() {
        return SettingsLoader.defaults(CleanupConfig.class);
    }

    /** With other times between two rounds, between the two questions, and before a removed log is unlinked. */
    public CleanupConfig withTimes(Duration nextInterval, Duration nextGrace, Duration nextTrashRetention) {
        return new CleanupConfig(
                nextInterval,
                nextGrace,
                nextTrashRetention,
                minorLivePercent,
                majorLivePercent,
                majorInterval,
                bytesPerSecondMax);
    }

    /** With another rule of which logs are compacted when. */
    public CleanupConfig withShares(int minorPercent, int majorPercent, Duration nextMajorInterval) {
        return new CleanupConfig(
                interval, grace, trashRetention, minorPercent, majorPercent, nextMajorInterval, bytesPerSecondMax);
    }

    /** With another bound on what compaction moves. */
    public CleanupConfig withBytesPerSecondMax(long next) {
        return new CleanupConfig(
                interval, grace, trashRetention, minorLivePercent, majorLivePercent, majorInterval, next);
    }
}
