// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.disk.ReadOnlyFlag;
import io.daybook.bookie.disk.Reserve;
import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskOperation;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.disk.OperationLog;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk that fills up, whoever fills it: nothing acknowledged is lost, reads and fences go on, and writing goes on by itself later (S-17, S-26, B14). */
final class FullDiskTest {
    private static final int CAPACITY = 1024 * 1024;

    private final SimulatedBookie one = new SimulatedBookie(41);
    private int ballasts;

    @BeforeEach
    void aSmallDisk() {
        one.data().quality(DiskQuality.SOLID_STATE.withCapacity(CAPACITY));
        one.config = one.config.withSpace(new SpaceConfig(3));
        one.format().start();
        pass(3);
    }

    private void pass(int seconds) {
        one.world.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private Disk data() {
        return one.machine.host().disk(SimulatedBookie.DATA);
    }

    private boolean isRegisteredReadOnly() {
        return one.stores().bookies().live().join().stream()
                .findFirst()
                .map(BookieRegistration::readOnly)
                .orElseThrow();
    }

    /** Somebody else fills the disk to the last byte. */
    private void fill() {
        for (int bytes = 64 * 1024; bytes >= 512; bytes /= 2) {
            while (data().usableBytes("") >= bytes) {
                try (DiskFile file = data().open("ballast-" + ballasts++, Disk.OpenMode.CREATE_NEW)) {
                    file.write(0, ByteBuffer.allocate(bytes));
                    file.sync();
                } catch (DiskException full) {
                    break;
                }
            }
        }
        data().syncDirectory("");
        assertThat(data().usableBytes("")).isLessThan(512);
    }

    private void unfill() {
        for (String name : data().list("")) {
            if (name.startsWith("ballast")) {
                data().delete(name);
            }
        }
        data().syncDirectory("");
    }

    private int addUntilRefused(TestClient writer) {
        for (int i = 0; i < 10_000; i++) {
            StatusCode status = writer.addAndWait(5, i, "entry " + i + "x".repeat(1000));
            if (status != StatusCode.OK) {
                assertThat(status).isEqualTo(StatusCode.READ_ONLY);
                return i;
            }
        }
        throw new AssertionError("the disk is never full");
    }

    private void assertReads(int count) {
        TestClient reader = one.client(LinkKind.OTHER);
        for (int i = 0; i < count; i += 7) {
            assertThat(reader.readOne(5, i).payloads()).containsExactly("entry " + i + "x".repeat(1000));
        }
        reader.close();
    }

    // S-17, S-26, P-27
    @Test
    void ownWritesMakeItReadOnlyWhileAllSlabsStillFit() {
        TestClient writer = one.client(LinkKind.APPEND);

        int stored = addUntilRefused(writer);

        pass(2);
        assertThat(isRegisteredReadOnly()).isTrue();
        assertReads(stored);
        TestClient other = one.client(LinkKind.OTHER);
        assertThat(other.fenceAndWait(5).status()).isEqualTo(StatusCode.OK);
        assertThat(writer.addRecoveredAndWait(5, stored, "recovered")).isEqualTo(StatusCode.OK);
        one.close();
        one.start();
        assertReads(stored);
    }

    // S-26
    @Test
    void aFlushThatFindsNoSpaceIsMadeAgainWhenThereIsSome() {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 20; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i + "x".repeat(1000))).isEqualTo(StatusCode.OK);
        }
        fill();
        int stored = 20 + addUntilRefusedFrom(writer, 20);
        fill();
        pass(5);

        assertThat(isRegisteredReadOnly()).isTrue();
        assertReads(stored);
        unfill();
        one.until(() -> !isRegisteredReadOnly());
        assertThat(writer.addAndWait(6, 0, "writable again")).isEqualTo(StatusCode.OK);
        assertThat(data().exists(Reserve.NAME)).isTrue();
        one.crash(CrashMode.LOSE_ALL).start();
        assertReads(stored);
    }

    private int addUntilRefusedFrom(TestClient writer, int first) {
        int i = first;
        while (writer.addAndWait(5, i, "entry " + i + "x".repeat(1000)) == StatusCode.OK) {
            i++;
        }
        return i - first;
    }

    // S-17: must-show of a disk without a free byte
    @Test
    void startsOnADiskWithoutAFreeByteServesAndWritesAgainWhenThereIsSpace() {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 60; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i + "x".repeat(1000))).isEqualTo(StatusCode.OK);
        }
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        fill();

        one.start();

        assertThat(isRegisteredReadOnly()).isTrue();
        assertThat(one.client(LinkKind.APPEND).addAndWait(5, 60, "no")).isEqualTo(StatusCode.READ_ONLY);
        assertReads(60);
        assertThat(one.client(LinkKind.OTHER).fenceAndWait(5).status()).isEqualTo(StatusCode.OK);
        unfill();
        one.until(() -> !isRegisteredReadOnly());
        assertThat(one.client(LinkKind.APPEND).addAndWait(6, 0, "yes")).isEqualTo(StatusCode.OK);
    }

    // S-24, S-26: the copy of the checkpoint in the data directory was written, the journal's finds no space.
    @Test
    void aStartThatIsMadeAgainForWantOfSpaceKeepsLogsThatACopyOfTheCheckpointCounts() {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 60; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i + "x".repeat(1000))).isEqualTo(StatusCode.OK);
        }
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        Disk journal = fullJournalDevice();
        OperationLog log = one.data().recordOperations();

        one.start();

        assertThat(journal.exists(Reserve.NAME)).as("it was given up").isFalse();
        assertThat(log.operations())
                .noneMatch(operation ->
                        operation instanceof DiskOperation.Delete delete && EntryLogFormat.logId(delete.path()) != 0);
        assertReads(60);
    }

    private Disk fullJournalDevice() {
        long used = 0;
        Disk journal = one.machine.host().disk(SimulatedBookie.JOURNAL);
        for (String name : journal.list("")) {
            used += one.journal().image().durableBytes(name).length;
        }
        one.journal().quality(DiskQuality.SOLID_STATE.withCapacity(used + 16));
        return journal;
    }

    // B14: what cannot be kept back on one device keeps neither the storage loop busy nor the other from being watched.
    @Test
    void aReserveForWhichThereIsNoRoomIsTriedNowAndThen() {
        Disk journal = one.machine.host().disk(SimulatedBookie.JOURNAL);
        journal.delete(Reserve.NAME);
        journal.syncDirectory("");
        fullJournalDevice();
        OperationLog log = one.journal().recordOperations();

        pass(10);

        assertThat(log.operations()).hasSizeBetween(1, 200);
    }

    @Test
    void anOperatorsReadOnlyStaysOverRestarts() {
        assertThat(ReadOnlyFlag.set(data(), true)).isTrue();
        assertThat(ReadOnlyFlag.set(data(), true)).isFalse();
        pass(2);
        TestClient writer = one.client(LinkKind.APPEND);
        assertThat(writer.addAndWait(5, 0, "no")).isEqualTo(StatusCode.READ_ONLY);
        assertThat(isRegisteredReadOnly()).isTrue();
        one.close();

        one.start();

        assertThat(isRegisteredReadOnly()).isTrue();
        assertThat(one.client(LinkKind.APPEND).addAndWait(5, 0, "no")).isEqualTo(StatusCode.READ_ONLY);
        assertThat(ReadOnlyFlag.set(data(), false)).isTrue();
        one.until(() -> !isRegisteredReadOnly());
        assertThat(one.client(LinkKind.APPEND).addAndWait(5, 0, "yes")).isEqualTo(StatusCode.OK);
    }

    /** Fences until even those find no room in the journal; how many were sent. */
    private int fenceUntilStuck(TestClient client, long firstLedgerId) {
        int sent = 0;
        while (client.fences.size() == sent && sent < 10_000) {
            client.fence(firstLedgerId + sent++);
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(client.fences).hasSizeLessThan(sent);
        return sent;
    }

    private void noFreeByteAndNoRoomInTheJournal(TestClient writer, TestClient fencer) {
        for (int i = 0; i < 20; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i + "x".repeat(1000))).isEqualTo(StatusCode.OK);
        }
        fill();
        int stored = 20 + addUntilRefusedFrom(writer, 20);
        for (int i = stored; i < stored + 200; i++) {
            fill();
            if (writer.addRecoveredAndWait(5, i, "entry " + i + "x".repeat(1000)) != StatusCode.OK) {
                break;
            }
            pass(2);
        }
        fenceUntilStuck(fencer, 1_000);
    }

    // S-17, B14: tombstones need room in the journal, and must not hold up what makes it.
    @Test
    void aRoundOfCleanupEndsAlsoWhenTheJournalHasNoRoomForTombstones() {
        noFreeByteAndNoRoomInTheJournal(one.client(LinkKind.APPEND), one.client(LinkKind.OTHER));
        pass(601);

        CompletableFuture<CleanupReport> round = one.bookie().cleanUp(true);

        one.until(round::isDone);
        assertThat(round.join().ledgersBuried()).isZero();
        assertThat(round.join().ledgersWaiting()).isPositive();
        unfill();
        one.until(() -> !isRegisteredReadOnly());
        // The flush that waits is tried every second.
        pass(2);
        CompletableFuture<CleanupReport> later = one.bookie().cleanUp(true);
        one.until(later::isDone);
        assertThat(later.join().ledgersBuried()).isPositive();
    }

    // B13, S-17: a round that is made at once because the disk is full at the start does not double the later ones,
    // which would compact the same logs.
    @Test
    void aStartOnAFullDiskMakesOneRoundOfCleanupAtATime() {
        TestClient writer = one.client(LinkKind.APPEND);
        assertThat(writer.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        fill();
        Duration minute = Duration.ofMinutes(1);
        one.config = one.config.withCleanup(one.config.cleanup().withTimes(minute, minute, minute));

        one.start();
        pass(10 * 60 + 30);

        CompletableFuture<CleanupReport> last = one.bookie().cleanUp(false);
        one.until(last::isDone);
        assertThat(last.join().rounds()).isBetween(11L, 13L);
    }

    // S-25, S-47: links that append are read, and refused, whatever waits for room.
    @Test
    void aReadOnlyBookieAnswersAddsWhileFencesAndPublishesFindNoRoom() {
        TestClient writer = one.client(LinkKind.APPEND);
        noFreeByteAndNoRoomInTheJournal(writer, one.client(LinkKind.OTHER));
        one.client(LinkKind.OTHER).publish(50_000, 3);
        pass(1);

        assertThat(writer.addAndWait(6, 0, "no")).isEqualTo(StatusCode.READ_ONLY);
        assertThat(one.client(LinkKind.APPEND).addAndWait(6, 0, "no")).isEqualTo(StatusCode.READ_ONLY);
    }

    // S-47
    @Test
    void addsThatWereBlockedAreAnsweredWhenItBecomesReadOnly() {
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(5));
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 300; i++) {
            writer.add(5, i, "entry " + i + "x".repeat(1000));
        }
        fill();

        one.until(() -> writer.acks.stream().mapToInt(ack -> ack.count()).sum() == 300);

        assertThat(writer.acks.stream().filter(ack -> ack.status() == StatusCode.READ_ONLY))
                .isNotEmpty();
        one.close();
        assertThat(one.machine.host().buffers().outstanding()).isZero();
    }
}
