// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Where and when something was measured.
 *
 * @param started wall-clock time, UTC
 * @param heapBytesMax bound on the heap of this process
 * @param loadBefore runnable tasks of the last minute, before it began; -1 where the system does not tell
 */
public record Conditions(
        String started, String kernel, int processors, String java, long heapBytesMax, double loadBefore) {
    private static final Path LOAD = Path.of("/proc/loadavg");

    /** Those of this process, now. */
    public static Conditions read() {
        return new Conditions(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                Runtime.getRuntime().maxMemory(),
                readLoad());
    }

    private static double readLoad() {
        try {
            return Double.parseDouble(Files.readString(LOAD).split(" ", -1)[0]);
        } catch (IOException | NumberFormatException unknown) {
            return -1;
        }
    }
}
