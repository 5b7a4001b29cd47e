// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.CookieFile;
import io.daybook.bookie.disk.Tenure;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogScan;
import io.daybook.bookie.entrylog.EntryLogVisitor;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.index.Catalog;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.bookie.index.IndexTarget;
import io.daybook.bookie.index.MergedIndex;
import io.daybook.bookie.journal.Journal;
import io.daybook.bookie.journal.JournalListener;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.journal.JournalSetup;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.bookie.scrub.Damage;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every file format against bytes kept in {@code src/test/resources/golden}: what is written now is the same, and what was written then is readable.
 * After a deliberate change of a format, with a new version number, run with {@code -Ddaybook.golden=write} and keep the old files beside the new
 * (P-49).
 */
final class GoldenFilesTest {
    private static final BookieId BOOKIE = new BookieId(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
    private static final int BLOCK = 512;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedHost host = world.machine("bookie").start();
    private final Disk disk = host.disk("/golden");

    @BeforeEach
    void smallBlocks() {
        world.machine("bookie").drive("/golden").quality(DiskQuality.SOLID_STATE.withBlock(BLOCK));
    }

    @Test
    void cookie() throws IOException {
        BookieCookie cookie = new BookieCookie(
                new ClusterId(17, 18), BOOKIE, "b0", List.of("data-0", "journal-0"), 1_700_000_000_000L);
        new CookieFile(cookie, "journal-0").write(disk);
        assertGolden("cookie");

        putGolden("cookie");
        assertThat(CookieFile.read(disk)).isEqualTo(new CookieFile(cookie, "journal-0"));
    }

    @Test
    void checkpoint() throws IOException {
        Checkpoint.format(List.of(disk), BOOKIE, JournalCount.ONE);
        Objects.requireNonNull(Checkpoint.read(List.of(disk), BOOKIE, JournalCount.ONE))
                .advance(0, new Mark(7, 1234, 6, 3));
        assertGolden("checkpoint");

        putGolden("checkpoint");
        assertThat(Objects.requireNonNull(Checkpoint.read(List.of(disk), BOOKIE, JournalCount.ONE))
                        .mark(0))
                .isEqualTo(new Mark(7, 1234, 6, 3));
    }

    @Test
    void checkpointOfSeveralJournals() throws IOException {
        JournalCount two = new JournalCount(2);
        Checkpoint.format(List.of(disk), BOOKIE, two);
        Checkpoint written = Objects.requireNonNull(Checkpoint.read(List.of(disk), BOOKIE, two));
        written.advance(1, new Mark(7, 1234, 5, 3));
        disk.rename("checkpoint", "checkpoint-of-two");
        assertGolden("checkpoint-of-two");

        putGolden("checkpoint-of-two");
        disk.rename("checkpoint-of-two", "checkpoint");
        assertThat(Objects.requireNonNull(Checkpoint.read(List.of(disk), BOOKIE, two))
                        .marks())
                .containsExactly(new Mark(2, 1, 0, 0), new Mark(7, 1234, 5, 3));
        assertThat(Checkpoint.read(List.of(disk), BOOKIE, JournalCount.ONE)).isNull();
        assertThat(Checkpoint.read(List.of(disk), BOOKIE, new JournalCount(3))).isNull();
    }

    @Test
    void damage() throws IOException {
        DamageNotes notes = new DamageNotes(true, false, new TreeSet<>(List.of(3, 9)));
        notes.write(disk);
        assertGolden("damage");

        putGolden("damage");
        assertThat(DamageNotes.read(disk)).isEqualTo(notes);
    }

    @Test
    void tenure() throws IOException {
        Tenure tenure = new Tenure("place é", List.of(new WriteToken(1, 2), new WriteToken(3, 4)));
        tenure.write(disk);
        assertGolden("tenure");

        putGolden("tenure");
        assertThat(Tenure.read(disk, "place é")).isEqualTo(tenure);
    }

    @Test
    void scrub() throws IOException {
        ScrubNotes notes =
                new ScrubNotes(4, true, 5, 6, 7, 8, 9, List.of(new Damage(Damage.Kind.ENTRIES, 10, 11, 12, 13, 14)));
        notes.write(disk);
        assertGolden("scrub");

        putGolden("scrub");
        assertThat(ScrubNotes.read(disk)).isEqualTo(notes);
    }

    private static ByteBuf entry(long ledgerId, long entryId) {
        ByteBuf entry = Unpooled.buffer();
        EntryLayout.writeHeader(entry, ledgerId, entryId, entryId - 1, 5 * (entryId + 1));
        return entry.writeBytes(("entry" + entryId).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void journal() throws IOException {
        String name = "journal-0000.ring";
        for (String each : List.of(name, "journal-0001.ring")) {
            try (DiskFile file = disk.open(each, Disk.OpenMode.CREATE_NEW)) {
                file.write(0, ByteBuffer.allocate(8192));
                file.sync();
            }
        }
        EventLoop loop = host.newLoop("core", Host.LoopKind.NETWORK);
        List<JournalSegment> segments = new ArrayList<>();
        for (String each : List.of(name, "journal-0001.ring")) {
            segments.add(
                    new JournalSegment(disk.open(each, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(8192, BLOCK)));
        }
        Journal journal = new Journal(
                loop, loop, new JournalSetup(BOOKIE, segments, BLOCK, 4096, 3, 40, JournalCount.ONE), new Unheard());
        loop.execute(() -> {
            journal.stageEntry(entry(5, 0), 0, 5, 0);
            journal.stageEntry(entry(5, 1), 0, 5, 1);
        });
        world.runFor(TimeUnit.SECONDS.toNanos(1));
        loop.execute(() -> {
            journal.stageFence(6);
            journal.stagePublished(5, 1);
        });
        world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertGolden(name);

        putGolden(name);
        Told told = new Told();
        JournalReplay.End end = new JournalReplay(disk, BOOKIE, JournalCount.ONE).replay(List.of(name), 3, 40, told);
        assertThat(told.lines).containsExactly("5:0", "5:1", "fence 6", "published 5:1", "end 44");
        assertThat(end).isEqualTo(new JournalReplay.End(3, 44, 2 * BLOCK, false));
    }

    @Test
    void entryLogAndIndex() throws IOException {
        IndexRows rows = new IndexRows(9);
        EntryLogWriter log = EntryLogWriter.create(disk, 9, 4, BOOKIE, EntryLogWriter.newChunk(disk));
        for (long[] id : new long[][] {{5, 0}, {5, 1}, {5, 7}, {8, 2}}) {
            ByteBuf entry = entry(id[0], id[1]);
            long position = log.position();
            log.appendEntry(entry.nioBuffer().order(ByteOrder.LITTLE_ENDIAN), 0, entry.readableBytes());
            rows.entry(id[0], id[1], position, log.position());
        }
        LedgerFacts facts = new LedgerFacts(5, true, 6, 7);
        log.appendFacts(facts);
        rows.facts(facts);
        log.finish();
        rows.write(disk, IndexFile.name(9), 4);
        assertGolden(EntryLogFormat.name(9));
        assertGolden(IndexFile.name(9));

        putGolden(EntryLogFormat.name(9));
        putGolden(IndexFile.name(9));
        Told told = new Told();
        EntryLogScan scan = EntryLogScan.of(disk, 9, BOOKIE, told);
        assertThat(scan.isWhole()).isTrue();
        assertThat(scan.previousLogId()).isEqualTo(4);
        assertThat(IndexFile.read(disk, 9, told)).isEqualTo(4);
        assertThat(told.lines)
                .containsExactly(
                        "5:0", "5:1", "5:7", "8:2", facts.toString(), "5:0+2", "5:7+1", "8:2+1", facts.toString());
    }

    @Test
    void aMergedIndex() throws IOException {
        for (int logId = 9; logId <= 10; logId++) {
            IndexRows rows = new IndexRows(logId);
            rows.entry(5, 10L * logId, 64, 100);
            rows.entry(5, 10L * logId + 1, 100, 150);
            rows.entry(8, 0, 150, 190);
            rows.facts(new LedgerFacts(5, logId == 9, 10L * logId, 10L * logId + 1, 2, 3));
            rows.write(disk, IndexFile.name(logId), logId - 1);
        }
        MergedIndex.Draft draft = new MergedIndex.Draft();
        draft.add(disk, 9);
        draft.add(disk, 10);
        String name = draft.write(disk);
        assertThat(name).isEqualTo(MergedIndex.name(9));
        assertGolden(name);

        putGolden(name);
        Told told = new Told();
        MergedIndex.read(disk, name).tell(told);
        assertThat(MergedIndex.logIds(disk, name)).containsExactly(9, 10);
        assertThat(MergedIndex.read(disk, name).logs().get(1)).isEqualTo(MergedIndex.Log.of(disk, 10));
        assertThat(told.lines)
                .containsExactly(
                        "5:90+2", "5:100+2", "8:0+1", "8:0+1", new LedgerFacts(5, true, 100, 101, 2, 3).toString());
    }

    @Test
    void catalog() throws IOException {
        Catalog.read(List.of(disk), BOOKIE, JournalCount.ONE)
                .replace(List.of(12), List.of(Integer.MIN_VALUE + 3, 9, 12), false);
        assertGolden("catalog");

        putGolden("catalog");
        Catalog read = Catalog.read(List.of(disk), BOOKIE, JournalCount.ONE);
        assertThat(read.state()).isEqualTo(Catalog.State.READ);
        assertThat(read.newestFlushed()).containsExactly(12);
        assertThat(read.logIds()).containsExactly(Integer.MIN_VALUE + 3, 9, 12);
    }

    @Test
    void catalogOfSeveralJournals() throws IOException {
        JournalCount two = new JournalCount(2);
        Catalog.read(List.of(disk), BOOKIE, two).replace(List.of(12, 5), List.of(Integer.MIN_VALUE + 3, 5, 12), true);
        disk.rename("catalog", "catalog-of-two");
        assertGolden("catalog-of-two");

        putGolden("catalog-of-two");
        disk.rename("catalog-of-two", "catalog");
        Catalog read = Catalog.read(List.of(disk), BOOKIE, two);
        assertThat(read.newestFlushed()).containsExactly(12, 5);
        assertThat(read.logIds()).containsExactly(Integer.MIN_VALUE + 3, 5, 12);
        assertThat(read.isIncomplete()).isTrue();
        assertThat(Catalog.read(List.of(disk), BOOKIE, JournalCount.ONE).state())
                .isEqualTo(Catalog.State.DAMAGED);
    }

    @Test
    void aCompactedLogWithTheFactsOfALedgerThatWasGivenUp() throws IOException {
        int logId = Integer.MIN_VALUE + 3;
        LedgerFacts facts = new LedgerFacts(5, true, 6, 7, 3, 0x7fff_fffe);
        IndexRows rows = new IndexRows(logId);
        EntryLogWriter log = EntryLogWriter.create(disk, logId, 12, BOOKIE, EntryLogWriter.newChunk(disk));
        log.appendFacts(facts);
        rows.facts(facts);
        log.finish();
        rows.write(disk, IndexFile.name(logId), 12);
        assertGolden(EntryLogFormat.name(logId));
        assertGolden(IndexFile.name(logId));

        putGolden(EntryLogFormat.name(logId));
        putGolden(IndexFile.name(logId));
        Told told = new Told();
        assertThat(EntryLogScan.of(disk, logId, BOOKIE, told).isWhole()).isTrue();
        assertThat(IndexFile.read(disk, logId, told)).isEqualTo(12);
        assertThat(told.lines).containsExactly(facts.toString(), facts.toString());
    }

    @Test
    void aTombstoneInTheJournal() throws IOException {
        assertJournalRecord("journal-0007.ring", journal -> journal.stageTombstone(5), "buried 5");
    }

    @Test
    void limboInTheJournal() throws IOException {
        assertJournalRecord("journal-0008.ring", journal -> journal.stageLimbo(5, 3), "limbo 5 3");
    }

    private void assertJournalRecord(String name, Consumer<Journal> stage, String told) throws IOException {
        try (DiskFile file = disk.open(name, Disk.OpenMode.CREATE_NEW)) {
            file.write(0, ByteBuffer.allocate(8192));
            file.sync();
        }
        JournalSegment segment =
                new JournalSegment(disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(8192, BLOCK));
        EventLoop loop = host.newLoop("core", Host.LoopKind.NETWORK);
        JournalSetup setup = new JournalSetup(BOOKIE, List.of(segment), BLOCK, 4096, 3, 40, JournalCount.ONE);
        Journal journal = new Journal(loop, loop, setup, new Unheard());
        loop.execute(() -> stage.accept(journal));
        world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertGolden(name);

        putGolden(name);
        Told read = new Told();
        new JournalReplay(disk, BOOKIE, JournalCount.ONE).replay(List.of(name), 3, 40, read);
        assertThat(read.lines).containsExactly(told, "end 41");
    }

    /** Hears nothing. */
    private static final class Unheard implements JournalListener {
        @Override
        public void readyToFlush(JournalSegment segment) {}

        @Override
        public void roomAgain(int journal) {}

        @Override
        public void failed(String reason) {
            throw new AssertionError(reason);
        }
    }

    /** Keeps what it is told as lines. */
    private static final class Told implements ReplayTarget, EntryLogVisitor, IndexTarget {
        private final List<String> lines = new ArrayList<>();
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

        @Override
        public void fileBegins(int incarnation, ByteBuffer image) {
            bytes = Unpooled.wrappedBuffer(image);
        }

        @Override
        public void entry(int offset) {
            lines.add(EntryLayout.ledgerId(bytes, offset) + ":" + EntryLayout.entryId(bytes, offset));
        }

        @Override
        public void fence(long ledgerId) {
            lines.add("fence " + ledgerId);
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            lines.add("published " + ledgerId + ":" + lastAddConfirmed);
        }

        @Override
        public void log(int logId, int previousLogId) {}

        @Override
        public void limbo(long ledgerId, int limbo) {
            lines.add("limbo " + ledgerId + " " + limbo);
        }

        @Override
        public void buried(long ledgerId) {
            lines.add("buried " + ledgerId);
        }

        @Override
        public void fileEnds(long nextSequence) {
            lines.add("end " + nextSequence);
        }

        @Override
        public void entry(long ledgerId, long entryId, long position, long end) {
            lines.add(ledgerId + ":" + entryId);
        }

        @Override
        public void facts(LedgerFacts facts) {
            lines.add(facts.toString());
        }

        @Override
        public void extent(IndexTarget.Extent extent) {
            lines.add(extent.ledgerId() + ":" + extent.firstEntryId() + "+" + extent.count());
        }

        @Override
        public void incomplete(int logId) {
            lines.add("incomplete");
        }
    }

    // ---- golden bytes ----

    private void assertGolden(String name) throws IOException {
        disk.syncDirectory("");
        byte[] written = world.machine("bookie").drive("/golden").image().durableBytes(name);
        if ("write".equals(System.getProperty("daybook.golden"))) {
            Path file = Path.of("src/test/resources/golden", name + ".hex");
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, lines(written));
        }
        assertThat(lines(written)).isEqualTo(lines(golden(name)));
    }

    private static String lines(byte[] bytes) {
        StringBuilder lines = new StringBuilder();
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        for (int at = 0; at < end; at += 32) {
            lines.append(HexFormat.of().formatHex(bytes, at, Math.min(end, at + 32)))
                    .append('\n');
        }
        return lines.append(bytes.length).append('\n').toString();
    }

    /** Hex lines, then the size; what is missing up to it is zeros. */
    private static byte[] golden(String name) throws IOException {
        if ("write".equals(System.getProperty("daybook.golden"))) {
            return parse(Files.readString(Path.of("src/test/resources/golden", name + ".hex")));
        }
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/" + name + ".hex")) {
            return parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static byte[] parse(String text) {
        String[] lines = text.split("\n", -1);
        ByteBuffer bytes = ByteBuffer.allocate(Integer.parseInt(lines[lines.length - 2]));
        for (int i = 0; i < lines.length - 2; i++) {
            bytes.put(HexFormat.of().parseHex(lines[i]));
        }
        return bytes.array();
    }

    private void putGolden(String name) throws IOException {
        byte[] bytes = golden(name);
        disk.delete(name);
        try (DiskFile file = disk.open(name, Disk.OpenMode.CREATE_NEW)) {
            file.write(0, ByteBuffer.wrap(bytes));
        }
    }
}
