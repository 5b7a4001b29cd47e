// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What the processors had done up to one moment, since the machine started: the difference of two tells what they did between. Parts that the system
 * does not tell are 0.
 *
 * @param atNanos when it was read ({@link System#nanoTime})
 * @param ourNanos processor time of the processes under test
 * @param busyNanos processor time of everything, the kernel included
 * @param stolenNanos time in which the hypervisor gave a processor that had work to somebody else
 */
public record CpuTimes(long atNanos, long ourNanos, long busyNanos, long stolenNanos) {
    /** The unit of {@code /proc/stat}: a hundredth of a second on every Linux there is. */
    private static final long TICK_NANOS = 10_000_000;

    private static final Path STAT = Path.of("/proc/stat");

    /** Reads them now, for the processes of these ids; one that has ended counts nothing. */
    public static CpuTimes read(Collection<Long> pids) {
        long ours = 0;
        for (long pid : pids) {
            ours += ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .map(Duration::toNanos)
                    .orElse(0L);
        }
        long[] ticks = ticks(firstLine().orElse(""));
        long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
        return new CpuTimes(System.nanoTime(), ours, busy * TICK_NANOS, ticks[7] * TICK_NANOS);
    }

    private static Optional<String> firstLine() {
        try {
            List<String> lines = Files.readAllLines(STAT);
            return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(0));
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }

    /** user, nice, system, idle, iowait, irq, softirq, steal of a line {@code cpu …}; zeros for another line. */
    static long[] ticks(String line) {
        long[] ticks = new long[8];
        String[] words = line.trim().split("\\s+", -1);
        if (words[0].equals("cpu")) {
            for (int i = 0; i < ticks.length && i + 1 < words.length; i++) {
                ticks[i] = Long.parseLong(words[i + 1]);
            }
        }
        return ticks;
    }

    /** What happened from {@code earlier} to this. */
    public CpuUse since(CpuTimes earlier) {
        double wall = Math.max(1, atNanos - earlier.atNanos);
        long ours = ourNanos - earlier.ourNanos;
        double foreign = Math.max(0, busyNanos - earlier.busyNanos - ours);
        return new CpuUse(ours, ours / wall, foreign / wall, (stolenNanos - earlier.stolenNanos) / wall);
    }

    /**
     * What the processors did in an interval.
     *
     * @param ourNanos processor time of the processes under test
     * @param ourCores the same in processors kept busy
     * @param foreignCores processors kept busy by everything else, kernel threads included
     * @param stolenCores processors taken by the hypervisor
     */
    public record CpuUse(long ourNanos, double ourCores, double foreignCores, double stolenCores) {}
}
