// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One bookie as its clients see it: adds, fences, publishes, reads, waits, restarts. */
final class BookieTest {
    private final SimulatedBookie one = new SimulatedBookie(1).format().start();
    private final TestClient writer = one.client(LinkKind.APPEND);
    private final TestClient reader = one.client(LinkKind.OTHER);

    @Test
    void anAddedEntryIsAcknowledgedAndRead() {
        assertThat(writer.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);

        TestClient.Answered answer = reader.readOne(5, 0);

        assertThat(answer.header().status()).isEqualTo(StatusCode.OK);
        assertThat(answer.payloads()).containsExactly("zero");
    }

    @Test
    void addsOfOneCommitAreAcknowledgedAsOneRange() {
        for (int i = 0; i < 20; i++) {
            writer.add(5, i, "entry " + i);
        }
        one.until(() -> writer.acknowledged() == 20);

        assertThat(writer.acks).hasSizeLessThan(20);
        assertThat(writer.acks.get(0).firstEntryId()).isZero();
    }

    @Test
    void entriesSurviveACrash() {
        for (int i = 0; i < 50; i++) {
            writer.addAndWait(5, i, "entry " + i);
        }

        one.crash(CrashMode.LOSE_ALL).start();

        TestClient again = one.client(LinkKind.OTHER);
        TestClient.Answered answer = again.readAndWait(5, 0, 100, ReadRequest.FLAG_UNCONFIRMED);
        assertThat(answer.payloads()).hasSize(50).startsWith("entry 0").endsWith("entry 49");
    }

    @Test
    void aConfirmedReadStopsAtTheLastAddConfirmed() {
        for (int i = 0; i < 5; i++) {
            writer.addAndWait(5, i, "entry " + i);
        }

        TestClient.Answered confirmed = reader.readAndWait(5, 0, 100, 0);

        assertThat(confirmed.header().lastAddConfirmed()).isEqualTo(3);
        assertThat(confirmed.payloads()).hasSize(4);
    }

    // S-05, B3
    @Test
    void aFencedLedgerRefusesAddsButTakesRecoveredOnes() { // S-35, P-67, P-126
        writer.addAndWait(5, 0, "zero");

        FenceAnswer fenced = reader.fenceAndWait(5);

        assertThat(fenced.status()).isEqualTo(StatusCode.OK);
        assertThat(fenced.lastEntryId()).isZero();
        assertThat(writer.addAndWait(5, 1, "one")).isEqualTo(StatusCode.FENCED);
        assertThat(writer.publishAndWait(5, 0)).isEqualTo(StatusCode.FENCED);
        assertThat(reader.addRecoveredAndWait(5, 1, "one")).isEqualTo(StatusCode.OK);
    }

    // S-07, P-20
    @Test
    void aFenceAndAPublishedLastAddConfirmedSurviveACrash() {
        writer.addAndWait(5, 0, "zero");
        writer.publishAndWait(5, 0);
        reader.fenceAndWait(6);

        one.crash(CrashMode.LOSE_ALL).start();

        TestClient again = one.client(LinkKind.APPEND);
        assertThat(again.addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(again.readAndWait(5, 0, 1, 0).payloads()).containsExactly("zero");
    }

    @Test
    void aTailReadIsAnsweredWithEntriesWhenTheNextEntryConfirmsThem() {
        writer.addAndWait(5, 0, "zero");
        reader.read(5, 0, 10, ReadRequest.FLAG_WAIT, 60_000);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(reader.reads).isEmpty();

        writer.addAndWait(5, 1, "one");

        one.until(() -> !reader.reads.isEmpty());
        assertThat(reader.reads.get(0).payloads()).containsExactly("zero");
    }

    @Test
    void aTailReadEndsWithAPublish() {
        writer.addAndWait(5, 0, "zero");
        reader.read(5, 0, 10, ReadRequest.FLAG_WAIT, 60_000);

        writer.publishAndWait(5, 0);

        one.until(() -> !reader.reads.isEmpty());
        assertThat(reader.reads.get(0).payloads()).containsExactly("zero");
    }

    // P-87
    @Test
    void aTailReadEndsWithAFenceOrItsTime() {
        writer.addAndWait(5, 0, "zero");
        reader.read(5, 0, 10, ReadRequest.FLAG_WAIT, 50);
        one.until(() -> reader.reads.size() == 1);
        reader.read(5, 0, 10, ReadRequest.FLAG_WAIT, 60_000);
        reader.read(99, 0, 10, ReadRequest.FLAG_WAIT, 50);

        reader.fenceAndWait(5);

        one.until(() -> reader.reads.size() == 3);
        assertThat(reader.reads).allSatisfy(answer -> {
            assertThat(answer.header().status()).isEqualTo(StatusCode.OK);
            assertThat(answer.entries()).isEmpty();
        });
        assertThat(reader.reads.get(0).header().isFenced()).isFalse();
        assertThat(reader.reads.get(1).header().isFenced()).isTrue();
    }

    // B4
    @Test
    void anEntryAddedAgainIsTakenIfEqualAndAConflictIfNot() {
        writer.addAndWait(5, 0, "zero");

        assertThat(writer.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);
        assertThat(writer.addAndWait(5, 0, "other")).isEqualTo(StatusCode.CONFLICT);
        assertThat(reader.readOne(5, 0).payloads()).isEqualTo(List.of("zero"));
    }

    @Test
    void absenceIsToldOfEntryAndLedger() {
        writer.addAndWait(5, 0, "zero");

        assertThat(reader.readOne(5, 1).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(reader.readOne(6, 0).header().status()).isEqualTo(StatusCode.NO_LEDGER);
    }

    // P-18, S-05
    @Test
    void aFencingReadFencesBeforeItSaysNo() {
        TestClient.Answered answer = reader.readAndWait(5, 0, 1, ReadRequest.FLAG_FENCE | ReadRequest.FLAG_UNCONFIRMED);

        assertThat(answer.header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(answer.header().isFenced()).isTrue();
        assertThat(writer.addAndWait(5, 0, "late")).isEqualTo(StatusCode.FENCED);
    }

    @Test
    void manySlabsAreFlushedAndEverythingIsReadAfterACleanStop() {
        int count = 600;
        for (int i = 0; i < count; i++) {
            writer.add(i % 7, i / 7, "entry " + i + " ".repeat(300));
        }
        one.until(() -> writer.acknowledged() == count);
        assertAllRead(reader, count);

        one.close();
        one.start();

        assertAllRead(one.client(LinkKind.OTHER), count);
    }

    private static void assertAllRead(TestClient from, int count) {
        for (int ledgerId = 0; ledgerId < 7; ledgerId++) {
            int entries = (count - ledgerId + 6) / 7;
            int next = 0;
            while (next < entries) {
                TestClient.Answered answer = from.readAndWait(ledgerId, next, 1000, ReadRequest.FLAG_UNCONFIRMED);
                assertThat(answer.header().status()).isEqualTo(StatusCode.OK);
                for (String payload : answer.payloads()) {
                    assertThat(payload.strip()).isEqualTo("entry " + (next * 7 + ledgerId));
                    next++;
                }
            }
        }
    }
}
