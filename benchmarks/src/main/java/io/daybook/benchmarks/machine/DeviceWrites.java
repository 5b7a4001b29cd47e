// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the block device below a directory had been told up to one moment, by everybody.
 *
 * @param bytes written
 * @param flushes orders to empty its volatile cache
 */
public record DeviceWrites(long bytes, long flushes) {
    private static final int SECTOR_BYTES = 512;

    /** Reads them for the device that holds {@code directory}; empty where the system does not tell. */
    public static Optional<DeviceWrites> read(Path directory) {
        try {
            long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
            Path stat = Path.of("/sys/dev/block/" + major(device) + ":" + minor(device) + "/stat");
            return parse(Files.readString(stat));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    private static long major(long device) {
        return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
    }

    private static long minor(long device) {
        return (device & 0xff) | ((device >>> 12) & ~0xffL);
    }

    static Optional<DeviceWrites> parse(String stat) {
        String[] words = stat.trim().split("\\s+", -1);
        if (words.length < 7) {
            return Optional.empty();
        }
        long flushes = words.length > 15 ? Long.parseLong(words[15]) : 0;
        return Optional.of(new DeviceWrites(Long.parseLong(words[6]) * SECTOR_BYTES, flushes));
    }

    /** What was told from {@code earlier} to this. */
    public DeviceWrites since(DeviceWrites earlier) {
        return new DeviceWrites(bytes - earlier.bytes, flushes - earlier.flushes);
    }
}
