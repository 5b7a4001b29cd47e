// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of entries and facts once they leave the journal. */
final class StorageTest {
    private final SimulatedBookie one = new SimulatedBookie(6);

    /** Adds enough to another ledger that every journal file is used again and no slab holds what was before. */
    private void recycleTheJournal(TestClient client, long ledgerId) {
        int before = client.acknowledged();
        for (int i = 0; i < 200; i++) {
            client.add(ledgerId, i, "filler " + i + "-".repeat(1000));
        }
        one.until(() -> client.acknowledged() == before + 200);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
    }

    // B4
    @Test
    void aFlushedEntryAddedAgainIsComparedWithTheFile() {
        one.format().start();
        TestClient client = one.client(LinkKind.APPEND);
        client.addAndWait(5, 0, "zero");
        recycleTheJournal(client, 50);

        assertThat(client.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);
        assertThat(client.addAndWait(5, 0, "nero")).isEqualTo(StatusCode.CONFLICT);
        assertThat(client.readOne(5, 0).payloads()).containsExactly("zero");
    }

    // B4, S-52: somebody broke the protocol, and is named in few lines, however often it happens.
    @Test
    void otherBytesForAnEntryRaiseAnAlarmThatIsNotRepeatedForEachOfThem() {
        one.format().start();
        TestClient client = one.client(LinkKind.APPEND);
        client.addAndWait(5, 0, "zero");
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.addAndWait(5, 0, "nero")).isEqualTo(StatusCode.CONFLICT);
            }
            lines.assertSaid("in a slab", "ERROR ledger=5 entry=0 link=client", "state=CONFLICT");
            assertThat(lines.all()).hasSize(1);
            recycleTheJournal(client, 50);
            one.world.runFor(TimeUnit.SECONDS.toNanos(10));

            assertThat(client.addAndWait(5, 0, "nero")).isEqualTo(StatusCode.CONFLICT);

            lines.assertSaid("in a file", "state=CONFLICT", "not told: 49");
            assertThat(lines.all()).hasSize(2);
        }
    }

    // S-07, B3, B7, D12, P-114, S-05: facts alone, of ledgers without entries, outlive the journal file that held them.
    @Test
    void aFenceAndAPublishedLastAddConfirmedOutliveTheirJournalFile() {
        one.format().start();
        TestClient client = one.client(LinkKind.OTHER);
        client.fenceAndWait(6);
        client.addAndWait(7, 0, "zero");
        client.publishAndWait(7, 0);
        client.publishAndWait(8, 41);
        for (int round = 0; round < 3; round++) {
            recycleTheJournal(client, 50 + round);
        }

        one.crash(CrashMode.LOSE_ALL).start();

        TestClient again = one.client(LinkKind.OTHER);
        assertThat(again.addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(again.readAndWait(7, 0, 1, 0).payloads()).containsExactly("zero");
        FenceAnswer answer = again.fenceAndWait(8);
        assertThat(answer.lastAddConfirmed()).isEqualTo(41);
        assertThat(answer.lastEntryId()).isEqualTo(-1);
    }

    // B8: some network file systems tell of blocks of a mebibyte, more than is written at once.
    @ParameterizedTest
    @ValueSource(ints = {32 * 1024, 1024 * 1024})
    void entriesAreMovedToADeviceOfLargeBlocks(int slabBytes) {
        one.config = one.config.withSlabs(slabBytes, 3);
        one.data().quality(one.data().quality().withBlock(1024 * 1024));
        one.format().start();
        TestClient client = one.client(LinkKind.APPEND);
        for (int i = 0; i < 4; i++) {
            client.addAndWait(5, i, "entry " + i + "-".repeat(slabBytes / 8));
        }
        recycleTheJournal(client, 50);

        one.close();

        TestClient again = one.start().client(LinkKind.OTHER);
        for (int i = 0; i < 4; i++) {
            assertThat(again.readOne(5, i).payloads()).containsExactly("entry " + i + "-".repeat(slabBytes / 8));
        }
    }

    // P-85
    @Test
    void entriesAddedOutOfOrderAreFoundInMemoryAndInFiles() {
        one.format().start();
        TestClient client = one.client(LinkKind.OTHER);
        int[] order = {7, 3, 4, 0, 9, 8, 1, 12};
        for (int entryId : order) {
            client.addRecoveredAndWait(5, entryId, "entry " + entryId);
        }
        assertFound(client, order);
        recycleTheJournal(client, 50);
        assertFound(client, order);
        for (int entryId : new int[] {2, 5, 6}) {
            client.addRecoveredAndWait(5, entryId, "entry " + entryId);
        }

        one.close();
        TestClient again = one.start().client(LinkKind.OTHER);

        assertFound(again, order);
        assertFound(again, 2, 5, 6);
        int next = 0;
        while (next < 10) {
            TestClient.Answered answer = again.readAndWait(5, next, 100, ReadRequest.FLAG_UNCONFIRMED);
            for (String payload : answer.payloads()) {
                assertThat(payload).isEqualTo("entry " + next++);
            }
        }
        assertThat(again.fenceAndWait(5).lastEntryId()).isEqualTo(12);
    }

    private static void assertFound(TestClient client, int... entryIds) {
        for (int entryId : entryIds) {
            assertThat(client.readOne(5, entryId).payloads()).containsExactly("entry " + entryId);
        }
        assertThat(client.readOne(5, 11).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(client.readOne(5, 13).header().status()).isEqualTo(StatusCode.NO_ENTRY);
    }

    @Test
    void anAnswerIsCutAtItsBytesAndCountFromMemoryAndFromFiles() {
        one.format().start();
        TestClient client = one.client(LinkKind.OTHER);
        for (int i = 0; i < 30; i++) {
            client.addAndWait(5, i, "entry " + i + "-".repeat(100));
        }
        assertCuts(client);
        recycleTheJournal(client, 50);
        assertCuts(client);
    }

    private void assertCuts(TestClient client) {
        assertThat(client.readAndWait(5, 3, 4, ReadRequest.FLAG_UNCONFIRMED).entries())
                .hasSize(4);
        int before = client.reads.size();
        client.readBytes(5, 0, new TestClient.Bounds(100, 500, 0), ReadRequest.FLAG_UNCONFIRMED);
        client.readBytes(5, 0, new TestClient.Bounds(100, 0, 0), ReadRequest.FLAG_UNCONFIRMED);
        one.until(() -> client.reads.size() == before + 2);
        assertThat(client.reads.get(before).entries()).hasSizeBetween(1, 3);
        assertThat(client.reads.get(before + 1).entries()).hasSize(1);
    }

    @Test
    void anAgedSlabIsFlushedAlthoughItIsNotFull() {
        one.config = one.config.withFlushAge(Duration.ofSeconds(10));
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");
        assertThat(logs()).isZero();

        one.world.runFor(TimeUnit.SECONDS.toNanos(15));

        assertThat(logs()).isEqualTo(1);
        one.world.runFor(TimeUnit.SECONDS.toNanos(60));
        assertThat(logs()).as("nothing new, nothing to flush").isEqualTo(1);
        one.crash(CrashMode.LOSE_ALL).start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
    }

    private long logs() {
        return one.machine.host().disk(SimulatedBookie.DATA).list("").stream()
                .filter(name -> EntryLogFormat.logId(name) > 0)
                .count();
    }

    @Test
    void aTailReadWithoutRegardToConfirmationEndsWithTheEntry() {
        one.format().start();
        TestClient client = one.client(LinkKind.OTHER);
        client.read(5, 0, 10, ReadRequest.FLAG_WAIT | ReadRequest.FLAG_UNCONFIRMED, 30_000);

        client.addAndWait(5, 0, "zero");

        one.until(() -> client.reads.size() == 1);
        assertThat(client.reads.get(0).payloads()).containsExactly("zero");
    }

    // S-07 b, L10: what a reader was shown is there after the crash of every machine.
    @Test
    void aLastAddConfirmedIsShownOnlyWhenItIsDurable() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient reader = one.client(LinkKind.OTHER);
        writer.addAndWait(5, 0, "zero");
        one.journal().faults().stick();
        writer.add(5, 1, "one");
        writer.publish(5, 0);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(reader.readAndWait(5, 0, 1, 0).header().lastAddConfirmed()).isEqualTo(-1);

        one.journal().faults().release();
        one.until(() -> writer.acknowledged() == 2);
        assertThat(reader.readAndWait(5, 0, 1, 0).header().lastAddConfirmed()).isZero();
    }

    // P-18, D1: also who is told that there is nothing may rely on the fence.
    @Test
    void aFencingReadThatFindsNothingIsAnsweredWhenItsFenceIsDurable() {
        one.format().start();
        TestClient recoverer = one.client(LinkKind.OTHER);
        recoverer.addAndWait(6, 0, "zero");
        one.journal().faults().stick();
        recoverer.read(5, 0, 1, ReadRequest.FLAG_FENCE | ReadRequest.FLAG_UNCONFIRMED, 0);
        recoverer.read(6, 1, 1, ReadRequest.FLAG_FENCE | ReadRequest.FLAG_UNCONFIRMED, 0);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(recoverer.reads).isEmpty();

        one.journal().faults().release();

        one.until(() -> recoverer.reads.size() == 2);
        assertThat(recoverer.reads).allSatisfy(answer -> {
            assertThat(answer.header().status().isProofOfAbsence()).isTrue();
            assertThat(answer.header().isFenced()).isTrue();
        });
        one.crash(CrashMode.LOSE_ALL).start();
        TestClient writer = one.client(LinkKind.APPEND);
        assertThat(writer.addAndWait(5, 0, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(writer.addAndWait(6, 1, "late")).isEqualTo(StatusCode.FENCED);
    }

    // S-05, P-18, P-32: the fence answer waits for the add that was taken before it; a later add is refused.
    @Test
    void aFenceAnswerLeavesAfterEveryAddTakenBeforeIt() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient recoverer = one.client(LinkKind.OTHER);
        one.journal().faults().stick();
        writer.add(5, 0, "before");
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        recoverer.fence(5);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        writer.add(5, 1, "after");
        one.until(() -> writer.acks.size() == 1);
        assertThat(writer.acks.get(0).status()).isEqualTo(StatusCode.FENCED);
        assertThat(recoverer.fences).isEmpty();

        one.journal().faults().release();

        one.until(() -> recoverer.fences.size() == 1 && writer.acks.size() == 2);
        assertThat(recoverer.fences.get(0).lastEntryId()).isZero();
        assertThat(recoverer.readOne(5, 0).payloads()).containsExactly("before");
        assertThat(recoverer.readOne(5, 1).header().status()).isEqualTo(StatusCode.NO_ENTRY);
    }

    // S-21
    @Test
    void anEntryInFlightIsNeitherAcknowledgedNorShownNorDenied() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient reader = one.client(LinkKind.OTHER);
        one.journal().faults().stick();
        writer.add(5, 0, "zero");
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        reader.read(5, 0, 1, ReadRequest.FLAG_UNCONFIRMED, 0);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(writer.acks).isEmpty();
        assertThat(reader.reads).isEmpty();

        one.journal().faults().release();

        one.until(() -> reader.reads.size() == 1 && writer.acknowledged() == 1);
        assertThat(reader.reads.get(0).payloads()).containsExactly("zero");
    }

    /** The comparison with the flushed copy takes until after the fence. */
    @Test
    void aRepeatedAddIsNotAcknowledgedAfterAFenceWasTold() { // B3
        CleanupScene scene = new CleanupScene(3);
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, 5);
        scene.one.close();
        scene.one.endSession();
        scene.start();
        TestClient writer = scene.one.client(LinkKind.APPEND);
        assertThat(writer.addAndWait(1, 3, CleanupScene.payload(1, 3))).isEqualTo(StatusCode.OK);
        TestClient recoverer = scene.one.client(LinkKind.OTHER);
        scene.one.data().faults().stallFor(1_000_000_000L);

        writer.add(1, 4, CleanupScene.payload(1, 4));
        assertThat(recoverer.fenceAndWait(1).status()).isEqualTo(StatusCode.OK);
        assertThat(writer.acknowledged()).isEqualTo(1);

        scene.one.until(() -> writer.acknowledged() + writer.answeredWith(StatusCode.FENCED) == 2);
        assertThat(writer.answeredWith(StatusCode.FENCED)).isEqualTo(1);
    }
}
