// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.micro;

import io.daybook.benchmarks.machine.ScratchDirectory;
import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.journal.Journal;
import io.daybook.bookie.journal.JournalListener;
import io.daybook.bookie.journal.JournalRing;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.journal.JournalSetup;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.system.SystemHost;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A turn of the journal: so many entries of 1 KiB are staged and committed with one durable write. The figure has the disk in it, and one hop to the
 * journal's loop and back. Full segments are taken back without being flushed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Dlogback.configurationFile=logback-benchmarks.xml")
public class JournalBenchmark {
    private static final int SLAB_BYTES = 8 * 1024 * 1024;
    private static final int PAYLOAD_BYTES = 1024;
    private static final long LEDGER_ID = 7;

    /** Entries in one commit. */
    @Param({"1", "64"})
    public int entries;

    private final ScratchDirectory scratch = ScratchDirectory.create("daybook-journal-benchmark");
    private final SystemHost host = SystemHost.start();
    private final EventLoop loop = host.newLoop("journal", Host.LoopKind.STORAGE);
    private final List<JournalSegment> segments = new ArrayList<>();
    private final Journal journal = open();
    private final ByteBuf entry = PooledByteBufAllocator.DEFAULT.directBuffer(2 * PAYLOAD_BYTES);
    private long entryId;

    private Journal open() {
        Disk disk = host.disk(scratch.path().toString());
        int block = disk.blockBytes();
        JournalRing.grow(disk, 3, SLAB_BYTES);
        for (String name : JournalRing.shape(disk, 3, SLAB_BYTES)) {
            segments.add(new JournalSegment(
                    disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(SLAB_BYTES, block)));
        }
        JournalSetup setup = new JournalSetup(new BookieId(1, 2), segments, block, 256 * 1024, 1, 1, JournalCount.ONE);
        return new Journal(loop, loop, setup, new TakeBack());
    }

    /** Writes the entry that is staged again and again, but for its id. */
    @Setup
    public void fill() {
        EntryLayout.writeHeader(entry, LEDGER_ID, 0, -1, PAYLOAD_BYTES);
        entry.writeZero(Integer.BYTES + PAYLOAD_BYTES);
    }

    /** Gives everything back. */
    @TearDown
    public void close() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        loop.execute(() -> {
            journal.abort();
            stopped.complete(null);
        });
        stopped.join();
        host.close();
        segments.forEach(JournalSegment::close);
        entry.release();
        scratch.close();
    }

    /** Stages and waits until all of it is durable. */
    @Benchmark
    public long stageAndCommit() {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        loop.execute(() -> stage(durable));
        return durable.join();
    }

    private void stage(CompletableFuture<Long> durable) {
        for (int i = 0; i < entries; i++) {
            if (!journal.stageEntry(entry, 0, LEDGER_ID, entryId++)) {
                durable.completeExceptionally(new IllegalStateException("the journal has no room"));
                return;
            }
        }
        journal.whenDurable(() -> durable.complete(entryId));
    }

    /** Releases each segment as soon as it is full and durable. */
    private final class TakeBack implements JournalListener {
        @Override
        public void readyToFlush(JournalSegment segment) {
            journal.release(segment);
        }

        @Override
        public void roomAgain(int journal) {}

        @Override
        public void failed(String reason) {
            throw new IllegalStateException(reason);
        }
    }
}
