// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

import io.daybook.benchmarks.machine.Conditions;
import java.util.List;
import java.util.Optional;

/**
 * The whole result of one measurement, as the JSON form shows it.
 *
 * @param what was measured, such as {@code append}
 * @param setup what was put under load, and how
 * @param latency in microseconds, from the due time in an open loop, else from the call
 * @param delivery what a reader got that follows; empty without one
 * @param lateness of the sender behind its schedule, in microseconds: part of the latency; empty in a closed loop
 * @param slow when requests took longer than 5 ms
 * @param rawDisk durable writes of one block, three writers at once, just before and just after; empty when there was no directory to measure
 * @param p99ToRawDisk p99 of the latency divided by p99 of those writes
 * @param remarks why the figures may mislead
 */
public record BenchResult(
        String what,
        Setup setup,
        Conditions conditions,
        Rates rates,
        Latency latency,
        Optional<Delivery> delivery,
        Optional<Latency> lateness,
        Slow slow,
        Processors processors,
        Optional<RawDisk> rawDisk,
        Optional<Double> p99ToRawDisk,
        Optional<DiskWrites> diskWrites,
        List<String> remarks) {
    /** Copies the list. */
    public BenchResult {
        remarks = List.copyOf(remarks);
    }

    /**
     * What was put under load, and how.
     *
     * @param pace such as {@code open loop, 1000/s}
     * @param quorums E/Qw/Qa
     * @param durability what an acknowledgement means
     */
    public record Setup(
            String cluster,
            String pace,
            int payloadBytes,
            int handles,
            String quorums,
            String durability,
            double warmupSeconds,
            double seconds) {}

    /**
     * What was done.
     *
     * @param acknowledged in the part that counts
     * @param failed in the whole run
     * @param unanswered without an end long after it
     * @param firstFailure empty when none failed
     */
    public record Rates(
            long acknowledged,
            double perSecond,
            double megabytesPerSecond,
            long failed,
            long unanswered,
            String firstFailure) {}

    /**
     * What the processors did.
     *
     * @param microsPerRequest processor time of client, bookies and metadata store for one acknowledged request, as far as their processes are known here
     * @param ourCores processors kept busy by them
     * @param foreignCores by everything else, kernel threads included
     * @param stolenCores by the hypervisor for somebody else
     * @param processes how many processes were counted
     * @param heapBytesPerRequest memory taken from the heap of this process alone for one acknowledged request
     */
    public record Processors(
            double microsPerRequest,
            double ourCores,
            double foreignCores,
            double stolenCores,
            int processes,
            long heapBytesPerRequest) {}

    /**
     * When requests took longer than 5 ms.
     *
     * @param tenths in how many tenths of a second one began
     * @param longest of them, the five with the longest latencies, by time
     */
    public record Slow(int tenths, List<Pause> longest) {
        /** Copies the list. */
        public Slow {
            longest = List.copyOf(longest);
        }
    }

    /** A moment: its time since the part that counts began, and the longest latency of a request that began in it. */
    public record Pause(double atSeconds, double millis) {}

    /** Durable writes of one block, before and after. */
    public record RawDisk(Latency before, Latency after) {}

    /**
     * What the block device was told meanwhile, by everybody.
     *
     * @param perPayloadByte bytes written for each byte of payload and copy
     */
    public record DiskWrites(long bytes, long flushes, double perPayloadByte) {}
}
