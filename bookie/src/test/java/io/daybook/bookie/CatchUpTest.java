// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of old entries keep nobody from the new ones, however slow the data disk is (S-44). */
final class CatchUpTest {
    private static final int ANSWER_BYTES_MAX = 4 * 1024 * 1024;
    private static final int LARGE_BYTES = 1024 * 1024;
    private static final int LARGE_EVERY = 50;
    private static final long OLD = 5;
    private static final long NEW = 6;

    private final SimulatedBookie one = new SimulatedBookie(41);

    @BeforeEach
    void start() {
        one.config = one.config.withSlabs(2 * 1024 * 1024, 3).withAnswerBytesMax(ANSWER_BYTES_MAX);
        one.format().start();
    }

    private void addOld(int count, int bytes) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < count; i++) {
            writer.addAt(OLD, i, i - 1, new byte[bytes], 0);
        }
        one.until(() -> writer.acknowledged() == count);
        one.close();
        one.start();
        assertThat(one.client(LinkKind.APPEND).addAndWait(NEW, 0, "fresh")).isEqualTo(StatusCode.OK);
    }

    /** Readers that ask for old entries while the data disk hangs. */
    private TestClient[] readersOfOldEntries(int count, int readsOfEach) {
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(20));
        TestClient[] readers = new TestClient[count];
        for (int r = 0; r < count; r++) {
            readers[r] = one.client(LinkKind.OTHER);
            for (int i = 0; i < readsOfEach; i++) {
                readers[r].read(OLD, i, 1, ReadRequest.FLAG_UNCONFIRMED, 0);
            }
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        return readers;
    }

    private void assertAnsweredSoon(TestClient reader, int flags) {
        int before = reader.reads.size();
        reader.read(NEW, 0, 1, flags, 0);
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(reader.reads).hasSize(before + 1);
        assertThat(reader.reads.get(before).payloads()).containsExactly("fresh");
    }

    @Test
    void readsOfFreshEntriesAndFencesAreAnsweredWhileReadsOfOldOnesHang() {
        addOld(3, 600_000);
        TestClient[] readers = readersOfOldEntries(4, 3);
        assertThat(one.bookie().server().answerBytes()).isGreaterThan(ANSWER_BYTES_MAX / 2);

        assertAnsweredSoon(one.client(LinkKind.OTHER), ReadRequest.FLAG_UNCONFIRMED);
        assertAnsweredSoon(readers[0], ReadRequest.FLAG_UNCONFIRMED);
        assertAnsweredSoon(readers[1], ReadRequest.FLAG_UNCONFIRMED | ReadRequest.FLAG_FENCE);

        assertThat(one.client(LinkKind.OTHER).fenceAndWait(OLD).status()).isEqualTo(StatusCode.OK);
        one.until(() -> readers[2].reads.size() == 3 && readers[3].reads.size() == 3);
        assertThat(readers[2].reads)
                .allSatisfy(read -> assertThat(read.entries()).hasSize(1));
    }

    @Test
    void readsOfSmallOldEntriesTakeLittleRoomWhileTheyHang() {
        addOld(100, 100);

        TestClient[] readers = readersOfOldEntries(4, 50);

        assertThat(one.bookie().server().answerBytes()).isBetween(200L * 100, 1024L * 1024);
        for (TestClient reader : readers) {
            one.until(() -> reader.reads.size() == 50);
        }
        assertThat(one.bookie().server().answerBytes()).isZero();
    }

    /** Many small entries, and every fiftieth of 1 MiB: on average a read of one entry takes little. */
    private void addMixedOld(int count) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < count; i++) {
            writer.addAt(OLD, i, i - 1, new byte[i % LARGE_EVERY == 0 ? LARGE_BYTES : 100], 0);
        }
        one.until(() -> writer.acknowledged() == count);
        one.close();
        one.start();
    }

    @Test
    void answersWithEntriesOfMixedSizesKeepWithinTheBound() {
        int large = 6;
        addMixedOld(large * LARGE_EVERY);
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(5));
        TestClient[] readers = new TestClient[8];
        for (int r = 0; r < readers.length; r++) {
            readers[r] = one.client(LinkKind.OTHER);
            for (int i = 0; i < large; i++) {
                int first = i * LARGE_EVERY;
                readers[r].read(OLD, first, 1, ReadRequest.FLAG_UNCONFIRMED, 0);
                readers[r].read(OLD, first + 1, 5, ReadRequest.FLAG_UNCONFIRMED, 0);
                readers[r].read(OLD, Math.max(0, first - 3), 5, ReadRequest.FLAG_UNCONFIRMED, 0);
            }
            readers[r].setReading(false);
        }
        long[] most = {0};
        one.world.runUntil(
                () -> {
                    most[0] = Math.max(most[0], one.bookie().server().answerBytes());
                    return false;
                },
                TimeUnit.SECONDS.toNanos(10));
        for (TestClient reader : readers) {
            reader.setReading(true);
        }
        one.until(() -> {
            most[0] = Math.max(most[0], one.bookie().server().answerBytes());
            return Arrays.stream(readers).allMatch(reader -> reader.reads.size() == 3 * large);
        });

        assertThat(most[0]).isBetween((long) LARGE_BYTES, (long) ANSWER_BYTES_MAX + LARGE_BYTES);
        for (TestClient reader : readers) {
            assertThat(reader.reads).allSatisfy(read -> {
                assertThat(read.header().status()).isEqualTo(StatusCode.OK);
                assertThat(read.entries()).isNotEmpty();
            });
        }
        assertThat(one.bookie().server().answerBytes()).isZero();
    }

    @Test
    void aFencingReadOfALargeEntryAmongSmallOnesIsAnswered() {
        addMixedOld(2 * LARGE_EVERY);

        TestClient.Answered answer = one.client(LinkKind.OTHER)
                .readAndWait(OLD, LARGE_EVERY, 1, ReadRequest.FLAG_UNCONFIRMED | ReadRequest.FLAG_FENCE);

        assertThat(answer.header().status()).isEqualTo(StatusCode.OK);
        assertThat(answer.entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry).hasSize(EntryLayout.HEADER_BYTES + LARGE_BYTES));
        assertThat(one.bookie().server().answerBytes()).isZero();
    }

    @Test
    void aReaderThatTakesNoOldEntriesKeepsNobodyFromTheNew() {
        addOld(3, 600_000);
        for (int r = 0; r < 6; r++) {
            TestClient idle = one.client(LinkKind.OTHER);
            idle.setReading(false);
            for (int i = 0; i < 12; i++) {
                idle.read(OLD, i % 3, 1, ReadRequest.FLAG_UNCONFIRMED, 0);
            }
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(one.bookie().server().answerBytes()).isBetween(ANSWER_BYTES_MAX / 2L, 2L * ANSWER_BYTES_MAX);

        assertAnsweredSoon(one.client(LinkKind.OTHER), ReadRequest.FLAG_UNCONFIRMED);
    }
}
