// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Adds with deferred sync are told to be taken, and acknowledged when they are durable (B1, P-72). */
final class DeferredSyncTest {
    private final SimulatedBookie one = new SimulatedBookie(1).format().start();
    private final TestClient writer = one.client(LinkKind.APPEND);
    private final TestClient reader = one.client(LinkKind.OTHER);

    private void addAndAwaitAcceptance(int count) {
        for (int i = 0; i < count; i++) {
            writer.addDeferred(5, i, "entry " + i);
        }
        one.until(() -> writer.answeredWith(StatusCode.ACCEPTED) == count);
    }

    @Test
    void anAddIsAcceptedAtOnceAndAcknowledgedAfterAForce() {
        addAndAwaitAcceptance(20);
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(writer.acks).hasSizeLessThan(20);
        assertThat(writer.acknowledged()).isZero();

        writer.force(5);

        one.until(() -> writer.acknowledged() == 20);
        one.crash(CrashMode.LOSE_ALL).start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 19).payloads()).containsExactly("entry 19");
    }

    @Test
    void whatWasAcceptedOnlyIsLostByACrashAndThenAbsent() {
        addAndAwaitAcceptance(3);

        one.crash(CrashMode.LOSE_ALL).start();

        TestClient again = one.client(LinkKind.APPEND);
        assertThat(again.readOne(5, 0).header().status()).isEqualTo(StatusCode.NO_LEDGER);
        again.addDeferred(5, 0, "entry 0");
        again.force(5);
        one.until(() -> again.acknowledged() == 1);
    }

    @Test
    void aCommitForAnotherReasonMakesItDurableToo() {
        addAndAwaitAcceptance(3);

        assertThat(reader.addAndWait(6, 0, "zero")).isEqualTo(StatusCode.OK);

        one.until(() -> writer.acknowledged() == 3);
    }

    @Test
    void aFenceIsToldWhenWhatWasAcceptedBeforeItIsDurable() {
        addAndAwaitAcceptance(3);

        FenceAnswer fenced = reader.fenceAndWait(5);

        assertThat(fenced.lastEntryId()).isEqualTo(2);
        one.until(() -> writer.acknowledged() == 3);
        writer.addDeferred(5, 3, "entry 3");
        one.until(() -> writer.answeredWith(StatusCode.FENCED) == 1);
    }

    @Test
    void aReadOfWhatIsNotDurableWaitsForItsCommit() {
        addAndAwaitAcceptance(1);

        assertThat(reader.readOne(5, 0).payloads()).containsExactly("entry 0");

        one.until(() -> writer.acknowledged() == 1);
    }

    // B4
    @Test
    void anAddThatIsRepeatedIsAcceptedAgainAndAcknowledgedOnItsOwnLinkWithoutAForce() {
        addAndAwaitAcceptance(1);
        TestClient again = one.client(LinkKind.APPEND);
        again.addDeferred(5, 0, "entry 0");
        one.until(() -> again.answeredWith(StatusCode.ACCEPTED) == 1);
        again.addDeferred(5, 0, "another");
        one.until(() -> again.answeredWith(StatusCode.CONFLICT) == 1);

        one.until(() -> again.acknowledged() == 1 && writer.acknowledged() == 1);
        again.addDeferred(5, 0, "entry 0");
        one.until(() -> again.acknowledged() == 2);
        assertThat(again.answeredWith(StatusCode.ACCEPTED)).isEqualTo(1);
    }

    @Test
    void whatNobodyForcesFillsTheJournalAndIsFlushed() {
        String payload = "x".repeat(1000);
        int count = 500;
        for (int i = 0; i < count; i++) {
            writer.addDeferred(5, i, payload);
        }
        // The last of them wait for what comes next, all others left with the commits and files that they filled.
        one.until(() -> writer.answeredWith(StatusCode.ACCEPTED) + writer.acknowledged() >= count
                && writer.acknowledged() > count / 2);

        writer.force(5);

        one.until(() -> writer.acknowledged() == count);
        assertThat(reader.readOne(5, count - 1).payloads()).containsExactly(payload);
    }

    @Test
    void aForceOfALedgerWithoutEntriesIsNothing() {
        writer.force(77);

        assertThat(writer.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);
        assertThat(writer.isClosed()).isFalse();
    }

    @Test
    void aStopMakesItDurable() {
        addAndAwaitAcceptance(3);

        one.close();
        one.endSession().start();

        assertThat(one.client(LinkKind.OTHER).readOne(5, 2).payloads()).containsExactly("entry 2");
    }
}
