// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a replay makes of torn tails, zeros, stale bytes of recycled files, and damage. */
final class JournalReplayTest implements JournalListener {
    private static final BookieId BOOKIE = new BookieId(1, 2);
    private static final int BLOCK = 512;
    private static final int SLAB_BYTES = 256 * 1024;
    private static final String ROOT = "/journal";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedHost host = world.machine("bookie").start();
    private final EventLoop loop = host.newLoop("core", Host.LoopKind.NETWORK);
    private final Disk disk = host.disk(ROOT);
    private final List<JournalSegment> ready = new ArrayList<>();
    private List<String> names = List.of();

    @Override
    public void readyToFlush(JournalSegment segment) {
        ready.add(segment);
    }

    @Override
    public void roomAgain(int journal) {}

    @Override
    public void failed(String reason) {
        throw new AssertionError(reason);
    }

    /** Keeps what it is told. */
    private static final class Recorded implements ReplayTarget {
        private final List<String> told = new ArrayList<>();
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

        @Override
        public void fileBegins(int incarnation, ByteBuffer image) {
            bytes = Unpooled.wrappedBuffer(image);
        }

        @Override
        public void entry(int offset) {
            int length = bytes.getIntLE(offset - Slab.LENGTH_BYTES);
            told.add(EntryLayout.ledgerId(bytes, offset) + ":" + EntryLayout.entryId(bytes, offset) + ":" + length);
        }

        @Override
        public void fence(long ledgerId) {
            told.add("fence " + ledgerId);
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            told.add("published " + ledgerId + ":" + lastAddConfirmed);
        }

        @Override
        public void limbo(long ledgerId, int limbo) {
            told.add("limbo " + ledgerId + " " + limbo);
        }

        @Override
        public void buried(long ledgerId) {
            told.add("buried " + ledgerId);
        }

        @Override
        public void fileEnds(long nextSequence) {}
    }

    private Journal journal(int files, int incarnation, long sequence) {
        world.machine("bookie").drive(ROOT).quality(DiskQuality.SOLID_STATE.withBlock(BLOCK));
        JournalRing.grow(disk, files, SLAB_BYTES);
        names = JournalRing.shape(disk, files, SLAB_BYTES);
        List<JournalSegment> segments = new ArrayList<>();
        for (String name : names) {
            segments.add(new JournalSegment(
                    disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(SLAB_BYTES, BLOCK)));
        }
        return new Journal(
                loop,
                loop,
                new JournalSetup(BOOKIE, segments, BLOCK, 4096, incarnation, sequence, JournalCount.ONE),
                this);
    }

    /** Stages so many entries, {@code perCommit} in each commit, and waits until all are durable. */
    private void stage(Journal journal, long ledgerId, int count, int perCommit) {
        int[] durable = new int[1];
        for (int from = 0; from < count; from += perCommit) {
            int first = from;
            loop.execute(() -> {
                for (int i = first; i < Math.min(count, first + perCommit); i++) {
                    ByteBuf entry = Unpooled.buffer();
                    EntryLayout.writeHeader(entry, ledgerId, i, i - 1, 0);
                    entry.writeBytes("z".repeat(20 + i % 50).getBytes(StandardCharsets.UTF_8));
                    assertThat(journal.stageEntry(entry, 0, ledgerId, i)).isTrue();
                }
                journal.whenDurable(() -> durable[0]++);
            });
            int wanted = from / perCommit + 1;
            assertThat(world.runUntil(() -> durable[0] == wanted, PATIENCE_NANOS))
                    .isTrue();
        }
    }

    private List<String> replay(int mark, long sequence) {
        Recorded recorded = new Recorded();
        new JournalReplay(disk, BOOKIE, JournalCount.ONE).replay(names, mark, sequence, recorded);
        return recorded.told;
    }

    private static List<String> entries(int count) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add("5:" + i + ":" + (EntryLayout.HEADER_BYTES + 20 + i % 50));
        }
        return entries;
    }

    @Test
    void everyRecordIsToldInTheOrderOfStaging() {
        Journal journal = journal(2, 1, 1);
        stage(journal, 5, 3, 1);
        loop.execute(() -> {
            assertThat(journal.stageFence(7)).isTrue();
            assertThat(journal.stagePublished(8, 12)).isTrue();
        });
        world.runFor(PATIENCE_NANOS);

        assertThat(replay(1, 1))
                .startsWith("5:0:52")
                .endsWith("fence 7", "published 8:12")
                .hasSize(5);
    }

    // S-23, P-116
    @Test
    void aFileCutAtAnyByteOfItsLastThreeRecordsReplaysEveryWholeRecord() {
        stage(journal(2, 1, 1), 5, 1000, 100);
        DiskImage whole = world.machine("bookie").drive(ROOT).image().copy();
        int end = endOfRecords();
        int third = end - 3 * JournalFormat.recordBytes(EntryLayout.HEADER_BYTES + 20 + 997 % 50);

        for (int cut = third - 8; cut <= end; cut++) {
            world.machine("bookie").drive(ROOT).replace(whole.copy());
            try (DiskFile file = disk.open(names.get(0), Disk.OpenMode.READ_WRITE)) {
                file.truncate(cut);
            }
            int told = replay(1, 1).size();
            assertThat(told).as("cut at " + cut).isBetween(996, 1000);
            assertThat(replay(1, 1)).as("cut at " + cut).isEqualTo(entries(told));
            if (cut == end) {
                assertThat(told).isEqualTo(1000);
            }
        }
    }

    // S-23: zeros, a partial length, a negative and a huge length after the last whole record.
    @Test
    void garbageAfterTheLastWholeRecordEndsTheReplay() {
        stage(journal(2, 1, 1), 5, 100, 100);
        DiskImage whole = world.machine("bookie").drive(ROOT).image().copy();
        int end = endOfRecords();
        int last = end - JournalFormat.recordBytes(EntryLayout.HEADER_BYTES + 20 + 49);
        List<byte[]> garbage = List.of(
                new byte[64], new byte[] {1, 2}, length(-5), length(Integer.MAX_VALUE), length(1 << 20), length(0));

        for (byte[] bytes : garbage) {
            world.machine("bookie").drive(ROOT).replace(whole.copy());
            try (DiskFile file = disk.open(names.get(0), Disk.OpenMode.READ_WRITE)) {
                file.write(last, ByteBuffer.wrap(bytes));
                file.sync();
            }
            assertThat(replay(1, 1)).isEqualTo(entries(99));
        }
    }

    private static byte[] length(int bodyBytes) {
        ByteBuffer record = ByteBuffer.allocate(32).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        JournalFormat.writeHeader(record, 0, JournalFormat.typeAndBodyBytes(JournalFormat.ENTRY, 8), 1, 100);
        return record.putInt(20, bodyBytes).array();
    }

    /** Where the last record of the only file ends. */
    private int endOfRecords() {
        byte[] bytes = world.machine("bookie").drive(ROOT).image().durableBytes(names.get(0));
        ByteBuffer in = ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        int end = 0;
        while (at < bytes.length && JournalFormat.type(in, at) == JournalFormat.COMMIT) {
            end = at + JournalFormat.commitBytes(in, at);
            at = JournalFormat.roundUp(end, BLOCK);
        }
        return end;
    }

    // B9, P-117: the file holds 100 commits of an earlier use; a later use overwrites the first k blocks.
    @Test
    void staleCommitsOfARecycledFileAreNeverTold() {
        for (int commits = 1; commits < 30; commits++) {
            world.machine("bookie").wipe(ROOT);
            Journal first = journal(2, 1, 1);
            stage(first, 5, 100, 1);
            Journal second = journal(2, 3, 101);
            stage(second, 5, commits, 1);

            assertThat(replay(3, 101)).isEqualTo(entries(commits));
        }
    }

    // B9: a stale block inside a torn commit.
    @Test
    void aStaleBlockInsideTheLastCommitIsATornTail() {
        stage(journal(2, 1, 1), 5, 200, 40);
        DiskImage stale = world.machine("bookie").drive(ROOT).image().copy();
        byte[] before = stale.durableBytes(names.get(0));
        Journal second = journal(2, 3, 201);
        stage(second, 5, 40, 40);
        DiskImage fresh = world.machine("bookie").drive(ROOT).image().copy();
        int blocks = JournalFormat.roundUp(endOfFirstCommit(), BLOCK) / BLOCK;
        assertThat(blocks).isGreaterThan(5);

        for (int block = 1; block < blocks; block++) {
            world.machine("bookie").drive(ROOT).replace(fresh.copy());
            try (DiskFile file = disk.open(names.get(0), Disk.OpenMode.READ_WRITE)) {
                file.write((long) block * BLOCK, ByteBuffer.wrap(before, block * BLOCK, BLOCK));
                file.sync();
            }
            List<String> told = replay(3, 201);
            assertThat(told).hasSizeLessThan(40).isEqualTo(entries(told.size()));
        }
    }

    private int endOfFirstCommit() {
        byte[] bytes = world.machine("bookie").drive(ROOT).image().durableBytes(names.get(0));
        return JournalFormat.commitBytes(ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN), 0);
    }

    // B9, P-116: every block below the last commit, damaged in turn.
    @Test
    void aDamagedBlockBelowAProvenCommitIsRefusedWithItsPlace() {
        stage(journal(2, 1, 1), 5, 60, 6);
        DiskImage whole = world.machine("bookie").drive(ROOT).image().copy();
        int end = JournalFormat.roundUp(endOfRecords(), BLOCK);
        int lastCommit = end - JournalFormat.roundUp(6 * 120, BLOCK) - BLOCK;

        for (int at = 5; at < lastCommit; at += BLOCK) {
            world.machine("bookie").drive(ROOT).replace(whole.copy());
            world.machine("bookie").drive(ROOT).corrupt(names.get(0), at, 0x10);
            assertThatThrownBy(() -> replay(1, 1))
                    .isInstanceOf(JournalDamagedException.class)
                    .hasMessageContaining(names.get(0))
                    .hasMessageContaining("position");
        }
    }

    // B9: a torn end of one file is damage when the next file was begun.
    @Test
    void aFileCutShortIsDamageWhenALaterFileExists() {
        Journal journal = journal(3, 1, 1);
        stage(journal, 5, 40, 10);
        loop.execute(() -> assertThat(journal.roll()).isTrue());
        stage(journal, 6, 10, 10);
        assertThat(ready).hasSize(1);
        int end = endOfRecords();
        try (DiskFile file = disk.open(names.get(0), Disk.OpenMode.READ_WRITE)) {
            file.truncate(end - 10);
        }

        assertThatThrownBy(() -> replay(1, 1))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining(names.get(1));
    }

    // P-123
    @Test
    void aMissingFileInTheMiddleIsDamage() {
        Journal journal = journal(3, 1, 1);
        for (int i = 0; i < 3; i++) {
            stage(journal, 5 + i, 10, 10);
            loop.execute(journal::roll);
        }
        world.runFor(PATIENCE_NANOS);

        assertThat(replay(1, 1)).hasSize(30);
        names = List.of(names.get(0), names.get(2));
        assertThatThrownBy(() -> replay(1, 1))
                .isInstanceOf(JournalDamagedException.class)
                .hasMessageContaining("incarnation 2");
    }

    @Test
    void filesBelowTheMarkAreNotTold() {
        Journal journal = journal(3, 1, 1);
        stage(journal, 5, 10, 10);
        loop.execute(journal::roll);
        stage(journal, 6, 10, 10);

        assertThat(replay(2, 11)).hasSize(10).allMatch(told -> told.startsWith("6:"));
        assertThat(replay(3, 21)).isEmpty();
    }
}
