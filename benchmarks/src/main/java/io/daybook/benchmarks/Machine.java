// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.benchmarks.load.LoadRun;
import io.daybook.benchmarks.machine.CpuTimes;
import io.daybook.benchmarks.machine.DeviceWrites;
import io.daybook.benchmarks.machine.HeapUse;
import io.daybook.benchmarks.report.BenchResult;
import java.util.Optional;

/** What the machine did in the part of a run that counts. */
final class Machine implements LoadRun.Edges {
    private final BenchCluster cluster;
    private CpuTimes firstTimes = new CpuTimes(0, 0, 0, 0);
    private CpuTimes lastTimes = firstTimes;
    private long firstTakenBytes;
    private long lastTakenBytes;
    private Optional<DeviceWrites> firstWrites = Optional.empty();
    private Optional<DeviceWrites> lastWrites = Optional.empty();

    Machine(BenchCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public void begin() {
        firstWrites = cluster.journalDevice().flatMap(DeviceWrites::read);
        firstTakenBytes = HeapUse.takenBytes();
        firstTimes = CpuTimes.read(cluster.pids());
    }

    @Override
    public void end() {
        lastTimes = CpuTimes.read(cluster.pids());
        lastTakenBytes = HeapUse.takenBytes();
        lastWrites = cluster.journalDevice().flatMap(DeviceWrites::read);
    }

    /** Both are told. */
    LoadRun.Edges and(LoadRun.Edges other) {
        return new LoadRun.Edges() {
            @Override
            public void planned(long fromNanos) {
                other.planned(fromNanos);
            }

            @Override
            public void begin() {
                Machine.this.begin();
                other.begin();
            }

            @Override
            public void end() {
                Machine.this.end();
                other.end();
            }
        };
    }

    BenchResult.Processors processors(long requests) {
        CpuTimes.CpuUse use = lastTimes.since(firstTimes);
        return new BenchResult.Processors(
                LoadBench.round(use.ourNanos() / 1e3 / Math.max(1, requests)),
                LoadBench.round(use.ourCores()),
                LoadBench.round(use.foreignCores()),
                LoadBench.round(use.stolenCores()),
                cluster.pids().size(),
                Math.max(0, lastTakenBytes - firstTakenBytes) / Math.max(1, requests));
    }

    Optional<BenchResult.DiskWrites> diskWrites(long payloadBytesOfAllCopies) {
        return lastWrites
                .flatMap(last -> firstWrites.map(last::since))
                .map(writes -> new BenchResult.DiskWrites(
                        writes.bytes(),
                        writes.flushes(),
                        LoadBench.round(writes.bytes() / (double) Math.max(1, payloadBytesOfAllCopies))));
    }
}
