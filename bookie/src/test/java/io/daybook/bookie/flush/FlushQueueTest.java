// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.disk.SpaceWatch;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.journal.Journal;
import io.daybook.bookie.journal.JournalListener;
import io.daybook.bookie.journal.JournalRing;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.journal.JournalSetup;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.disk.OperationLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Flushes of slabs of 2 MiB, each eight pieces, that may be spread over two seconds. */
final class FlushQueueTest implements JournalListener {
    private static final BookieId BOOKIE = new BookieId(1, 2);
    private static final List<Mark> MARKS = List.of(new Mark(1, 1, 0, 0));
    private static final int SLAB_BYTES = 2 * 1024 * 1024;
    private static final int BLOCK = 4096;
    private static final int ENTRY_BYTES = 16 * 1024;
    private static final long SPREAD = Duration.ofMillis(400).toNanos();
    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedHost host = world.machine("bookie").start();
    private final EventLoop core = host.newLoop("core", LoopKind.NETWORK);
    private final EventLoop storage = host.newLoop("storage", LoopKind.STORAGE);
    private final Disk data = host.disk("/data");
    private final List<JournalSegment> sealed = new ArrayList<>();
    private final List<Integer> flushed = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final FlushQueue queue = new FlushQueue(
            storage,
            new SlabFlush(new DataDisks(List.of(data)), () -> data, BOOKIE, MARKS, Faults.NONE),
            new SpaceWatch(new DataDisks(List.of(data)), List.of(data), new SpaceConfig(0), SLAB_BYTES),
            failures::add);
    private long doneNanos;

    @Override
    public void readyToFlush(JournalSegment segment) {
        sealed.add(segment);
    }

    @Override
    public void roomAgain(int journal) {}

    @Override
    public void failed(String reason) {
        throw new AssertionError(reason);
    }

    private void fill(int slabs) {
        Disk disk = host.disk("/journal");
        JournalRing.grow(disk, slabs + 1, SLAB_BYTES);
        List<JournalSegment> segments = new ArrayList<>();
        for (String name : JournalRing.shape(disk, slabs + 1, SLAB_BYTES)) {
            segments.add(new JournalSegment(
                    disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(SLAB_BYTES, BLOCK)));
        }
        Journal journal = new Journal(
                core, core, new JournalSetup(BOOKIE, segments, BLOCK, 256 * 1024, 1, 1, JournalCount.ONE), this);
        core.execute(() -> {
            long entryId = 0;
            for (int slab = 0; slab < slabs; slab++) {
                for (int i = 0; i < SLAB_BYTES / ENTRY_BYTES - 10; i++) {
                    ByteBuf entry = Unpooled.buffer();
                    EntryLayout.writeHeader(entry, 5, entryId, entryId - 1, 0);
                    entry.writeZero(ENTRY_BYTES - 100);
                    assertThat(journal.stageEntry(entry, 0, 5, entryId++)).isTrue();
                }
                journal.roll();
            }
        });
        assertThat(world.runUntil(() -> sealed.size() == slabs, PATIENCE)).isTrue();
    }

    private void add(int slab) {
        add(queue, slab);
    }

    private void add(FlushQueue to, int slab) {
        JournalSegment segment = sealed.get(slab);
        storage.execute(() -> to.add(new FlushQueue.Order(
                segment, segment.slab().sealedView(), List.of(), SPREAD, rows -> done(segment, rows))));
    }

    private void done(JournalSegment segment, IndexRows rows) {
        assertThat(rows.extents()).isNotEmpty();
        flushed.add(segment.incarnation());
        doneNanos = world.nanoTime();
    }

    private void await(int count) {
        assertThat(world.runUntil(() -> flushed.size() == count, PATIENCE)).isTrue();
    }

    @Test
    void piecesAreSpreadOverTheTimeGiven() {
        fill(1);
        long begun = world.nanoTime();
        add(0);

        await(1);

        assertThat(doneNanos - begun).isBetween(SPREAD * 3 / 4, SPREAD * 3 / 2);
    }

    @Test
    void slabThatWaitsMakesTheOneBeforeItHurry() {
        fill(2);
        long begun = world.nanoTime();
        add(0);
        add(1);

        await(1);

        assertThat(doneNanos - begun).as("the first").isLessThan(SPREAD / 2);
        await(2);
        assertThat(flushed).containsExactly(1, 2);
    }

    @Test
    void whoWaitsForTheEndOfAllFlushesMakesThemHurry() {
        fill(1);
        long begun = world.nanoTime();
        long[] idleNanos = new long[1];
        add(0);
        storage.execute(() -> queue.whenIdle(() -> idleNanos[0] = world.nanoTime()));

        assertThat(world.runUntil(() -> idleNanos[0] > 0, PATIENCE)).isTrue();

        assertThat(flushed).containsExactly(1);
        assertThat(idleNanos[0] - begun).isLessThan(SPREAD / 2);
    }

    @Test
    void stopLeavesALogThatIsCutShortAndNothingFollows() {
        fill(2);
        boolean[] idle = new boolean[1];
        add(0);
        storage.execute(() -> queue.whenIdle(() -> idle[0] = true));
        storage.execute(queue::stop);
        add(1);

        world.runFor(PATIENCE);

        assertThat(idle[0]).isTrue();
        assertThat(flushed).isEmpty();
        assertThat(failures).isEmpty();
    }

    // S-26, B14: compaction can use the space that a flush could not.
    @Test
    void whatAFlushWroteBeforeTheDiskWasFullIsGivenBackAtOnce() {
        fill(1);
        DiskDrive drive = world.machine("bookie").drive("/data");
        drive.quality(DiskQuality.SOLID_STATE.withCapacity(SLAB_BYTES / 2));
        OperationLog log = drive.recordOperations();
        add(0);

        world.runFor(SPREAD * 2);

        assertThat(log.operations()).isNotEmpty();
        assertThat(data.list("")).isEmpty();
        drive.quality(DiskQuality.SOLID_STATE);
        await(1);
        assertThat(failures).isEmpty();
    }

    // S-18 (a)
    @Test
    void flushThatFindsNoSpaceInOneDirectoryIsMadeInAnother() {
        fill(1);
        Disk other = host.disk("/data-b");
        DiskDrive otherDrive = world.machine("bookie").drive("/data-b");
        otherDrive.quality(DiskQuality.SOLID_STATE.withCapacity(2 * SLAB_BYTES));
        DataDisks both = new DataDisks(List.of(data, other));
        SpaceWatch space = new SpaceWatch(both, List.of(host.disk("/journal")), new SpaceConfig(0), SLAB_BYTES);
        SlabFlush flush = new SlabFlush(both, space::roomiest, BOOKIE, MARKS, Faults.NONE);
        add(new FlushQueue(storage, flush, space, failures::add), 0);
        assertThat(world.runUntil(() -> data.exists(EntryLogFormat.name(1)), PATIENCE))
                .isTrue();

        world.machine("bookie").drive("/data").quality(DiskQuality.SOLID_STATE.withCapacity(SLAB_BYTES / 2));
        await(1);

        assertThat(data.list("")).isEmpty();
        assertThat(other.list("")).containsExactly(EntryLogFormat.name(1), IndexFile.name(1));
        assertThat(failures).isEmpty();
    }

    @Test
    void failureIsToldOnceAndNothingFollows() {
        fill(2);
        world.machine("bookie").drive("/data").faults().failOnce(DiskFaults.Call.WRITE, "entries");
        add(0);
        add(1);

        world.runFor(PATIENCE);

        assertThat(failures).hasSize(1);
        assertThat(flushed).isEmpty();
    }
}
