// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Disk;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bookie says and does when bytes on its disks are damaged or gone: never "absent", never a silent loss. */
final class DamageTest {
    private static final int ENTRIES = 40;

    /** Of an index file, before its rows. */
    private static final int INDEX_HEADER_BYTES = 40;

    private static final int ROOMY_SLAB_BYTES = 512 * 1024;

    private final SimulatedBookie one = new SimulatedBookie(2);

    @BeforeEach
    void startWithRoomInOneSlab() {
        one.config = one.config.withSlabs(ROOMY_SLAB_BYTES, 3);
        one.format().start();
    }

    private void addEntries(long ledgerId, int from, int to) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = from; i < to; i++) {
            assertThat(writer.addAndWait(ledgerId, i, "entry " + i + "-".repeat(200)))
                    .isEqualTo(StatusCode.OK);
        }
    }

    /** Everything in one entry log, nothing in the journal or in memory. */
    private int flushedLog() {
        addEntries(5, 0, ENTRIES);
        one.client(LinkKind.OTHER).fenceAndWait(6);
        one.close();
        for (String name : disk(SimulatedBookie.DATA).list("")) {
            int logId = EntryLogFormat.logId(name);
            if (logId > 0) {
                return logId;
            }
        }
        throw new AssertionError("nothing was flushed");
    }

    private Disk disk(String root) {
        return one.machine.host().disk(root);
    }

    private int indexOf(byte[] bytes, String text) {
        byte[] wanted = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            if (java.util.Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError("not found: " + text);
    }

    // S-02, S-12, B5
    @Test
    void aDamagedEntryIsCorruptAndTheOthersAreRead() {
        int logId = flushedLog();
        String log = EntryLogFormat.name(logId);
        one.data().corrupt(log, indexOf(one.data().image().durableBytes(log), "entry 17-"), 1);

        TestClient reader = one.start().client(LinkKind.OTHER);

        TestClient.Answered upTo = reader.readAndWait(5, 0, ENTRIES, ReadRequest.FLAG_UNCONFIRMED);
        assertThat(upTo.entries()).hasSize(17);
        assertThat(reader.readOne(5, 17).header().status()).isEqualTo(StatusCode.CORRUPT);
        assertThat(reader.readAndWait(5, 18, ENTRIES, ReadRequest.FLAG_UNCONFIRMED)
                        .entries())
                .hasSize(ENTRIES - 18);
    }

    // S-02, D10, P-45, P-84
    @Test
    void aMissingEntryLogIsUnreadableNotAbsent() {
        int logId = flushedLog();
        disk(SimulatedBookie.DATA).delete(EntryLogFormat.name(logId));

        TestClient reader = one.start().client(LinkKind.OTHER);

        assertThat(reader.readOne(5, 3).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(reader.addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
    }

    @Test
    void aMissingIndexFileIsMadeAgainFromItsEntryLog() {
        int logId = flushedLog();
        disk(SimulatedBookie.DATA).delete(IndexFile.name(logId));

        one.start();

        assertIndexServes(logId);
    }

    @Test
    void anIndexFileDamagedAnywhereIsMadeAgainFromItsEntryLog() {
        int logId = flushedLog();
        int bytes = one.data().image().durableBytes(IndexFile.name(logId)).length;
        for (int at = 0; at < bytes; at += 61) {
            one.data().corrupt(IndexFile.name(logId), at, 0x40);

            one.start();

            assertIndexServes(logId);
            one.close();
        }
    }

    private void assertIndexServes(int logId) {
        TestClient reader = one.client(LinkKind.OTHER);
        assertThat(reader.readAndWait(5, 0, ENTRIES, ReadRequest.FLAG_UNCONFIRMED)
                        .entries())
                .hasSize(ENTRIES);
        assertThat(reader.readOne(5, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(reader.addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(disk(SimulatedBookie.DATA).exists(IndexFile.name(logId))).isTrue();
        reader.close();
    }

    // B5: how large an entry is follows from its row and the next one.
    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x80})
    void aRowOfTheIndexThatIsDamagedWhileItIsUsedIsCorruptAndReservesNothing(int mask) {
        int logId = flushedLog();
        TestClient reader = one.start().client(LinkKind.OTHER);
        long highestByteOfRow18 = INDEX_HEADER_BYTES + 18 * 4 + 3;
        one.data().corrupt(IndexFile.name(logId), highestByteOfRow18, mask);

        TestClient.Answered across = reader.readAndWait(5, 17, ENTRIES, ReadRequest.FLAG_UNCONFIRMED);

        assertThat(across.header().status()).isEqualTo(StatusCode.CORRUPT);
        assertThat(across.entries()).isEmpty();
        assertThat(reader.readAndWait(5, 19, ENTRIES, ReadRequest.FLAG_UNCONFIRMED)
                        .entries())
                .hasSize(ENTRIES - 19);
    }

    // B6: the ledgers of that time are in limbo, whatever is asked of them; one that nobody made is not.
    @Test
    void absenceIsNotPromisedWhenIndexAndPartOfTheLogAreLost() {
        int logId = flushedLog();
        String log = EntryLogFormat.name(logId);
        one.data().corrupt(log, indexOf(one.data().image().durableBytes(log), "entry 17-"), 1);
        disk(SimulatedBookie.DATA).delete(IndexFile.name(logId));

        for (int starts = 0; starts < 2; starts++) {
            TestClient reader = one.start().client(LinkKind.OTHER);
            assertThat(reader.readOne(5, 16).entries()).hasSize(1);
            assertThat(reader.readOne(5, 17).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
            assertThat(reader.readOne(5, 18).entries()).hasSize(1);
            assertThat(reader.readOne(5, ENTRIES).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
            one.until(() -> reader.readOne(77, 0).header().status() == StatusCode.NO_LEDGER);
            one.close();
        }
    }

    // B6, P-41
    @Test
    void absenceIsNotPromisedWhenLogAndIndexAreGone() {
        int logId = flushedLog();
        disk(SimulatedBookie.DATA).delete(IndexFile.name(logId));
        disk(SimulatedBookie.DATA).delete(EntryLogFormat.name(logId));

        TestClient reader = one.start().client(LinkKind.OTHER);

        assertThat(reader.readOne(5, 3).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
    }

    // B9, P-42
    @Test
    void damageInTheJournalBelowAProvenCommitRefusesToStart() {
        addEntries(5, 0, ENTRIES);
        one.crash(CrashMode.LOSE_ALL);
        one.journal().corrupt(ring(), 2 * 4096 + 100, 1);

        assertRefused(ExitCode.JOURNAL_DAMAGED, "damaged at position 8");
    }

    @Test
    void damageAtTheStartOfANeededJournalFileRefusesToStart() {
        addEntries(5, 0, 4);
        one.crash(CrashMode.LOSE_ALL);
        one.journal().corrupt(ring(), 10, 1);

        assertRefused(ExitCode.JOURNAL_DAMAGED, "damaged at position 0");
    }

    @Test
    void damageInTheLastCommitIsTakenForATornTail() {
        addEntries(5, 0, 3);
        one.crash(CrashMode.LOSE_ALL);
        one.journal().corrupt(ring(), 2 * 4096 + 100, 1);

        TestClient reader = one.start().client(LinkKind.OTHER);

        assertThat(reader.readAndWait(5, 0, 10, ReadRequest.FLAG_UNCONFIRMED).entries())
                .hasSize(2);
    }

    @Test
    void aMissingJournalFileRefusesToStart() {
        addEntries(5, 0, 3);
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        disk(SimulatedBookie.JOURNAL).delete(ring());

        assertRefused(ExitCode.JOURNAL_DAMAGED, "the journal of 3 files lacks " + ring());
    }

    // B9: a crash may leave more files than the mark counts.
    @Test
    void aMissingJournalFileIsNotMadeUpForByOneThatIsNotCounted() {
        addEntries(5, 0, 3);
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        disk(SimulatedBookie.JOURNAL).rename(ring(), "journal-0009.ring");

        assertRefused(ExitCode.JOURNAL_DAMAGED, "the journal of 3 files lacks " + ring());
    }

    // P-112
    @Test
    void oneDamagedCheckpointIsMadeUpForByItsCopy() {
        addEntries(5, 0, 3);
        one.close();
        one.journal().corrupt("checkpoint", 20, 1);

        TestClient reader = one.start().client(LinkKind.OTHER);

        assertThat(reader.readAndWait(5, 0, 10, ReadRequest.FLAG_UNCONFIRMED).entries())
                .hasSize(3);
    }

    @Test
    void noReadableCheckpointRefusesToStart() {
        one.close();
        one.journal().corrupt("checkpoint", 20, 1);
        one.data().corrupt("checkpoint", 20, 1);

        assertRefused(ExitCode.DISK, "checkpoint");
    }

    /** The journal file in use: the first of the ring in a bookie that was started once. */
    private String ring() {
        return "journal-0000.ring";
    }

    private void assertRefused(ExitCode exitCode, String part) {
        one.endSession();
        CompletableFuture<Bookie> starting = one.tryStart();

        assertThat(starting).isCompletedExceptionally();
        Throwable failure = starting.handle((bookie, thrown) -> thrown).join();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        BookieStartException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(exitCode))
                .hasMessageContaining(part);
    }
}
