// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static io.daybook.runtime.Disk.OpenMode.READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of the journal of a bookie that does not run: what a start would replay, and what it would refuse (D13, B9). */
final class OfflineJournalTest {
    private static final int ENTRIES = 10;
    private static final int RECORD_HEADER_BYTES = 24;

    private final SimulatedBookie one = new SimulatedBookie(3);
    private final List<Long> entries = new ArrayList<>();

    @BeforeEach
    void crashWithEntriesInTheJournal() {
        one.config = one.config.withSlabs(512 * 1024, 3);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
        }
        one.crash(CrashMode.LOSE_ALL);
        one.stores();
    }

    private List<String> inspect() {
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            return offline.replay(new Entries(entries));
        }
    }

    private void assertStartRefuses(String text) {
        CompletableFuture<Bookie> start = one.tryStart();

        assertThat(start)
                .isCompletedExceptionally()
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining(text);
    }

    @Test
    void whatAStartReplaysIsTold() {
        assertThat(inspect()).isEmpty();

        assertThat(entries).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void aLostFileIsDamageAsItIsForAStartAlsoWhenNothingElseShowsIt() {
        one.journal().lose("journal-0002.ring");

        assertThat(inspect()).singleElement().asString().contains(SimulatedBookie.JOURNAL, "journal-0002.ring");

        assertThat(entries).hasSize(ENTRIES);
        assertStartRefuses("journal-0002.ring");
    }

    @Test
    void whatSurvivesDamageIsTold() {
        byte[] ring = one.journal().image().durableBytes("journal-0000.ring");
        one.journal().corrupt("journal-0000.ring", indexOf(ring, "entry 4"), 1);

        try (LogLines lines = new LogLines()) {
            assertThat(inspect()).singleElement().asString().contains(SimulatedBookie.JOURNAL, "journal-0000.ring");
            assertThat(lines.all()).as("nothing is accepted by looking").isEmpty();
        }

        assertThat(entries).containsExactly(0L, 1L, 2L, 3L, 5L, 6L, 7L, 8L, 9L);
        assertStartRefuses("journal-0000.ring");
    }

    @Test
    void aRecordOfANewerVersionIsToldAndNeverPassedOver() {
        byte[] ring = one.journal().image().durableBytes("journal-0000.ring");
        int entryAt = indexOf(ring, "entry 4") - EntryLayout.HEADER_BYTES;
        int headerAt = entryAt - RECORD_HEADER_BYTES;
        ByteBuffer record = ByteBuffer.wrap(ring).order(ByteOrder.LITTLE_ENDIAN).slice(headerAt, 4096);
        record.order(ByteOrder.LITTLE_ENDIAN).put(6, (byte) 99);
        CRC32C crc = new CRC32C();
        crc.update(record.slice(4, RECORD_HEADER_BYTES - 4 + record.getInt(20)));
        record.putInt(0, (int) crc.getValue());
        try (DiskFile file = one.machine.host().disk(SimulatedBookie.JOURNAL).open("journal-0000.ring", READ_WRITE)) {
            file.write(0, ByteBuffer.wrap(ring));
            file.sync();
        }

        assertThat(inspect())
                .singleElement()
                .asString()
                .contains(SimulatedBookie.JOURNAL, "unknown type 99", "newer version");

        assertThat(entries).isEmpty();
        assertStartRefuses("unknown type 99");
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            offline.acceptDamage();
        }
        assertStartRefuses("start that version");
    }

    private static int indexOf(byte[] bytes, String text) {
        byte[] wanted = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError("not found: " + text);
    }

    /** Notes the ids of entries. */
    private static final class Entries implements ReplayTarget {
        private final List<Long> ids;
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

        private Entries(List<Long> ids) {
            this.ids = ids;
        }

        @Override
        public void fileBegins(int incarnation, ByteBuffer image) {
            bytes = Unpooled.wrappedBuffer(image);
        }

        @Override
        public void entry(int offset) {
            ids.add(EntryLayout.entryId(bytes, offset));
        }

        @Override
        public void fence(long ledgerId) {}

        @Override
        public void limbo(long ledgerId, int limbo) {}

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {}

        @Override
        public void buried(long ledgerId) {}

        @Override
        public void fileEnds(long nextSequence) {}
    }
}
