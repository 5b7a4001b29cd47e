// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Measures what durable writes cost now without anything above them: three writers at once, each with one block at a time into a file that was written
 * before, as three journals do on one disk. Nothing that waits for a journal can be faster.
 *
 * <p><i>Threading:</i> the caller waits; each writer has a thread of its own.
 */
public final class RawDiskProbe {
    private static final int WRITERS = 3;
    private static final int FILE_BYTES = 16 * 1024 * 1024;
    private static final int CHUNK_BYTES = 1024 * 1024;
    private static final String PREFIX = "raw-disk-probe-";

    private final Disk disk;

    /** Writes its files into the root of {@code disk} and removes them after each slice. */
    public RawDiskProbe(Disk disk) {
        this.disk = disk;
    }

    /** Latencies of all single writes of a slice of this length, in nanoseconds. */
    public Histogram measure(Duration slice) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Callable<Histogram>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String path = PREFIX + i;
                prepare(path);
                writers.add(() -> write(path, slice));
            }
            Histogram all = newHistogram();
            for (Future<Histogram> writer : threads.invokeAll(writers)) {
                all.add(writer.get());
            }
            return all;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the raw disk could not be measured: " + failed.getCause(), failed);
        } finally {
            threads.shutdown();
            remove();
        }
    }

    static Histogram newHistogram() {
        return new Histogram(1, Duration.ofMinutes(1).toNanos(), 3);
    }

    private void prepare(String path) {
        if (disk.exists(path)) {
            disk.delete(path);
        }
        try (DiskFile file = disk.open(path, Disk.OpenMode.CREATE_NEW)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (int at = 0; at < FILE_BYTES; at += CHUNK_BYTES) {
                file.write(at, zeros.clear());
            }
            file.sync();
        }
        disk.syncDirectory("");
    }

    private Histogram write(String path, Duration slice) {
        Histogram latencies = newHistogram();
        int block = disk.blockBytes();
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(2 * block).alignedSlice(block).limit(block);
        try (DiskFile file = disk.open(path, Disk.OpenMode.READ_WRITE_DURABLE)) {
            long begin = System.nanoTime();
            long now = begin;
            for (long at = 0; now - begin < slice.toNanos(); at = (at + block) % FILE_BYTES) {
                bytes.putLong(0, at).position(0).limit(block);
                file.write(at, bytes);
                long then = now;
                now = System.nanoTime();
                latencies.recordValue(Math.min(now - then, latencies.getHighestTrackableValue()));
            }
        }
        return latencies;
    }

    private void remove() {
        for (int i = 0; i < WRITERS; i++) {
            if (disk.exists(PREFIX + i)) {
                disk.delete(PREFIX + i);
            }
        }
    }
}
