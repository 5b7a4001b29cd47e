// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a bookie lets in when there is little room, and what it never keeps waiting (B14, S-25, S-44, S-47). */
final class AdmissionTest {
    private static final int ADDS = 400;

    private final SimulatedBookie one = new SimulatedBookie(31);

    /** The data disk hangs and the journal has no segment left. */
    private TestClient blockedWriter(LinkKind kind) {
        one.format().start();
        TestClient writer = one.client(kind);
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(60));
        addAll(writer);
        one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(writer.acknowledged()).isBetween(1, ADDS - 1);
        return writer;
    }

    private static void addAll(TestClient writer) {
        for (int i = 0; i < ADDS; i++) {
            writer.add(5, i, "entry " + i + "z".repeat(400));
        }
    }

    // B14
    @Test
    void publishesLeaveTheJournalsReserveToFences() {
        TestClient writer = blockedWriter(LinkKind.APPEND);
        TestClient other = one.client(LinkKind.OTHER);
        for (int i = 0; i < 500; i++) {
            other.publish(100 + i, 0);
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(2));
        }

        other.fence(6);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(other.fences).hasSize(1);
        one.until(() -> writer.acknowledged() == ADDS);
        one.until(() -> other.publishes.size() == 500);
    }

    // B14: a fence that finds no room even in the reserve is the first to be served when there is some.
    @Test
    void aBlockedFenceGoesBeforeBlockedAdds() {
        TestClient writer = blockedWriter(LinkKind.APPEND);
        TestClient other = one.client(LinkKind.OTHER);
        int fences = 0;
        while (other.fences.size() == fences) {
            other.fence(1000 + fences++);
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(5));
        }
        int blocked = ADDS - 1;
        other.fence(5);

        one.until(() -> writer.acks.stream().mapToInt(ack -> ack.count()).sum() == ADDS);

        assertThat(writer.acks.get(writer.acks.size() - 1).status()).isEqualTo(StatusCode.FENCED);
        assertThat(other.readOne(5, blocked).header().status()).isEqualTo(StatusCode.NO_ENTRY);
    }

    // S-44
    @Test
    void aLinkForEverythingElseThatAppendsIsStoppedToo() {
        TestClient writer = blockedWriter(LinkKind.OTHER);
        int taken = writer.acknowledged();

        // Were the link read on, the bookie would hold all of this.
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 100; i++) {
                writer.add(6, round * 100L + i, "w".repeat(8_000));
            }
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(5));

        assertThat(writer.acknowledged()).isEqualTo(taken);
        assertThat(one.machine.host().buffers().outstanding()).isLessThan(ADDS + 100);
        one.until(() -> writer.acknowledged() == ADDS + 2_000);
    }

    // S-47, P-87
    @Test
    void waitingReadsOfAClosedLinkAreForgottenAtOnce() {
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");
        for (int i = 0; i < 5; i++) {
            TestClient reader = one.client(LinkKind.OTHER);
            reader.read(5, 7, 1, ReadRequest.FLAG_WAIT, 60_000);
            reader.read(99, 7, 1, ReadRequest.FLAG_WAIT, 60_000);
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(one.bookie().server().waitingReads()).isEqualTo(2);

            reader.close();
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(20));

            assertThat(one.bookie().server().waitingReads()).isZero();
        }
    }

    // S-44, P-125
    @Test
    void aClientThatTakesNoAnswersHoldsFewOfThemAndIsGivenUp() {
        one.config = one.config.withSlabs(4 * 1024 * 1024, 3);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 2; i++) {
            writer.addAt(5, i, i - 1, new byte[1_000_000], 0);
        }
        one.until(() -> writer.acknowledged() == 2);
        TestClient reader = one.client(LinkKind.OTHER);
        reader.setReading(false);
        for (int i = 0; i < 200; i++) {
            reader.read(5, 0, 1, ReadRequest.FLAG_UNCONFIRMED, 0);
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(5));

        assertThat(one.bookie().server().answerBytes()).isLessThan(4_000_000);
        TestClient healthy = one.client(LinkKind.OTHER);
        assertThat(healthy.readOne(5, 1).entries()).hasSize(1);
        one.world.runFor(TimeUnit.SECONDS.toNanos(90));
        reader.setReading(true);
        one.until(reader::isClosed);
        assertThat(one.bookie().server().answerBytes()).isLessThan(1_100_000);
    }

    // S-44
    @Test
    void manyReadersOfOldEntriesShareTheBoundOnAnswersAndAllAreServed() {
        one.config = one.config.withSlabs(4 * 1024 * 1024, 3).withAnswerBytesMax(4 * 1024 * 1024);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 6; i++) {
            writer.addAt(5, i, i - 1, new byte[500_000], 0);
        }
        one.until(() -> writer.acknowledged() == 6);
        one.close();
        one.start();
        TestClient[] readers = new TestClient[8];
        for (int r = 0; r < readers.length; r++) {
            readers[r] = one.client(LinkKind.OTHER);
            for (int i = 0; i < 12; i++) {
                readers[r].read(5, i % 6, 2, ReadRequest.FLAG_UNCONFIRMED, 0);
            }
        }
        long[] most = new long[1];

        one.until(() -> {
            most[0] = Math.max(most[0], one.bookie().server().answerBytes());
            for (TestClient reader : readers) {
                if (reader.reads.size() < 12) {
                    return false;
                }
            }
            return true;
        });

        assertThat(most[0]).isLessThan(4 * 1024 * 1024 + 2 * 1024 * 1024);
        for (TestClient reader : readers) {
            assertThat(reader.reads)
                    .allSatisfy(read -> assertThat(read.entries()).isNotEmpty());
        }
    }

    // A6, B4, S-02: what recovery or repair brings takes the place of a copy that is damaged, across a crash, a flush
    // and a restart.
    @Test
    void aCopyFromRecoveryHealsADamagedOne() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 10; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
        }
        one.close();
        damage("entry 4");
        one.start();
        assertThat(one.client(LinkKind.APPEND).addAndWait(5, 4, "entry 4")).isEqualTo(StatusCode.CORRUPT);

        assertThat(one.client(LinkKind.APPEND).addRecoveredAndWait(5, 4, "entry 4"))
                .isEqualTo(StatusCode.OK);

        assertAllThere();
        one.crash(CrashMode.LOSE_ALL).start();
        assertAllThere();
        one.close();
        one.start();
        assertAllThere();
    }

    private void assertAllThere() {
        TestClient reader = one.client(LinkKind.OTHER);
        for (int i = 0; i < 10; i++) {
            assertThat(reader.readOne(5, i).payloads()).containsExactly("entry " + i);
        }
    }

    private void damage(String text) {
        byte[] wanted = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        for (String name : one.machine.host().disk(SimulatedBookie.DATA).list("")) {
            if (!name.endsWith(".log")) {
                continue;
            }
            byte[] bytes = one.data().image().durableBytes(name);
            for (int at = 0; at + wanted.length <= bytes.length; at++) {
                if (java.util.Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                    one.data().corrupt(name, at, 1);
                    return;
                }
            }
        }
        throw new AssertionError("not found: " + text);
    }
}
