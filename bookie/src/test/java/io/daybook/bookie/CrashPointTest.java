// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.Reserve;
import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Crashes at every disk operation of a short life that rolls the journal, flushes and checkpoints: the bookie always starts again (S-24) and holds
 * every acknowledged entry and fence (B1, B2, B7, B8, S-22).
 */
final class CrashPointTest {
    private static final int LEDGERS = 3;
    private static final int OPERATIONS_MAX = 400;

    /** What was acknowledged before the crash. */
    private static final class Told {
        private final TreeMap<Long, Integer> entries = new TreeMap<>();
        private final List<Long> fenced = new ArrayList<>();
    }

    // P-40, P-110; B11: an index that pointed past what is durable would serve nothing, or something else, afterwards
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "KEEP_ALL", "ANY_SUBSET", "TEAR_ALL", "LOSE_NAMES"})
    void everythingAcknowledgedSurvivesACrashAtAnyDiskOperation(CrashMode mode) {
        boolean crashed = true;
        for (int nth = 1; crashed && nth < OPERATIONS_MAX; nth += 1 + nth / 40) {
            SimulatedBookie one = small(nth).format().start();
            Told told = new Told();
            TestClient client = one.client(LinkKind.OTHER);
            one.machine.crashAtDiskOperation(nth, nth % 2 == 0);
            live(one, client, told);
            crashed = !one.machine.isRunning();
            one.crash(mode);
            one.start();
            assertKept(one, told, "crash at operation " + nth + ", " + mode);
        }
        assertThat(crashed).as("the life was shorter than the crash points").isFalse();
    }

    // B8, P-44: a crash inside the replay, and again.
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "ANY_SUBSET", "TEAR_ALL"})
    void aReplayThatCrashesIsMadeAgain(CrashMode mode) {
        boolean crashed = true;
        for (int nth = 1; crashed && nth < OPERATIONS_MAX; nth++) {
            SimulatedBookie one = small(nth).format().start();
            Told told = new Told();
            TestClient client = one.client(LinkKind.OTHER);
            one.data().faults().stallFor(1_000_000_000_000L);
            live(one, client, told);
            one.data().faults().heal();
            one.crash(mode);
            one.machine.start().machine().crashAtDiskOperation(nth, nth % 2 == 0);
            one.tryStart();
            crashed = !one.machine.isRunning();
            one.crash(mode);
            one.start();
            assertKept(one, told, "crash at operation " + nth + " of the replay, " + mode);
        }
        assertThat(crashed).as("the replay was shorter than the crash points").isFalse();
    }

    // S-24, B8: an operator changes the slabs, the start that lays the journals out anew crashes, and the slabs are
    // changed again.
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "ANY_SUBSET"})
    void aStartWithOtherSlabsThatCrashesIsFollowedByOneWithYetOthers(CrashMode mode) {
        int[][] shapes = {{8, 3}, {16, 5}, {8, 2}, {32, 3}, {8, 8}};
        for (int from = 0; from < shapes.length; from++) {
            for (int to = 0; to < shapes.length; to++) {
                boolean crashed = true;
                for (int nth = 1; crashed && nth < OPERATIONS_MAX; nth += 1 + nth / 4) {
                    SimulatedBookie one =
                            shaped(small(nth), shapes[from]).format().start();
                    Told told = new Told();
                    TestClient client = one.client(LinkKind.OTHER);
                    one.data().faults().stallFor(1_000_000_000_000L);
                    live(one, client, told);
                    one.data().faults().heal();
                    shaped(one.crash(mode), shapes[to]);
                    one.machine.start().machine().crashAtDiskOperation(nth, nth % 2 == 0);
                    one.tryStart();
                    crashed = !one.machine.isRunning();
                    shaped(one.crash(mode), shapes[(from + to) % shapes.length]).start();
                    assertKept(one, told, "crash at operation " + nth + " from " + from + " to " + to + ", " + mode);
                }
                assertThat(crashed)
                        .as("the start was longer than the crash points")
                        .isFalse();
            }
        }
    }

    /** With slabs of {@code shape[0]} KiB, {@code shape[1]} of them. */
    private static SimulatedBookie shaped(SimulatedBookie one, int[] shape) {
        one.config = one.config.withSlabs(shape[0] * 1024, shape[1]);
        return one;
    }

    // B12, B14: a crash while the reserve is made, given up or made again does no harm.
    @ParameterizedTest
    @EnumSource(
            value = CrashMode.class,
            names = {"LOSE_ALL", "ANY_SUBSET", "LOSE_NAMES"})
    void aReserveThatACrashCutsShortIsCompletedLater(CrashMode mode) {
        for (int nth = 1; nth < 12; nth++) {
            SimulatedBookie one = small(nth);
            one.config = one.config.withSpace(new SpaceConfig(2));
            one.format().start();
            one.machine.crashAtDiskOperation(nth, nth % 2 == 0);
            one.world.runFor(1_000_000_000);
            one.crash(mode).start();
            one.world.runFor(3_000_000_000L);

            byte[] reserve = one.data().image().durableBytes(Reserve.NAME);

            assertThat(reserve).as("crash at operation %d", nth).hasSize(2 * 8 * 1024);
        }
    }

    private static SimulatedBookie small(long seed) {
        SimulatedBookie one = new SimulatedBookie(seed);
        one.journal().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.data().quality(DiskQuality.SOLID_STATE.withBlock(512));
        one.config = one.config.withSlabs(8 * 1024, 3).withCommitBytesMax(4096);
        return one;
    }

    /** Adds, publishes and fences until the machine is gone or enough was done to use every journal file more than once. */
    private static void live(SimulatedBookie one, TestClient client, Told told) {
        for (int round = 0; round < 20 && one.machine.isRunning(); round++) {
            for (int ledgerId = 0; ledgerId < LEDGERS; ledgerId++) {
                client.add(ledgerId, round, payload(ledgerId, round));
            }
            if (round % 5 == 4) {
                client.fence(100 + round);
            }
            one.world.runFor(5_000_000);
        }
        one.world.runFor(100_000_000);
        client.acks.stream().filter(ack -> ack.status() == StatusCode.OK).forEach(ack -> {
            int end = (int) ack.firstEntryId() + ack.count();
            told.entries.merge(ack.ledgerId(), end, Math::max);
        });
        client.fences.forEach(answer -> told.fenced.add(answer.ledgerId()));
    }

    private static String payload(long ledgerId, long entryId) {
        return "ledger " + ledgerId + " entry " + entryId + " " + "x".repeat((int) (200 + 37 * entryId % 300));
    }

    private static void assertKept(SimulatedBookie one, Told told, String when) {
        TestClient reader = one.client(LinkKind.OTHER);
        told.entries.forEach((ledgerId, end) -> {
            int next = 0;
            while (next < end) {
                TestClient.Answered answer = reader.readAndWait(ledgerId, next, 100, ReadRequest.FLAG_UNCONFIRMED);
                assertThat(answer.header().status())
                        .as("%s: ledger %d entry %d", when, ledgerId, next)
                        .isEqualTo(StatusCode.OK);
                for (String payload : answer.payloads()) {
                    assertThat(payload).as(when).isEqualTo(payload(ledgerId, next++));
                }
            }
        });
        for (long ledgerId : told.fenced) {
            assertThat(reader.addAndWait(ledgerId, 0, "late")).as(when).isEqualTo(StatusCode.FENCED);
        }
    }

    // S-21, B10, P-111
    @Test
    void aFailedJournalWriteAcknowledgesNothingAndHalts() {
        SimulatedBookie one = new SimulatedBookie(9).format().start();
        TestClient client = one.client(LinkKind.APPEND);
        client.addAndWait(1, 0, "zero");
        one.journal().faults().failOnce(DiskFaults.Call.COMMIT, "journal");

        for (int i = 1; i < 100; i++) {
            client.add(1, i, "entry " + i);
        }
        one.until(() -> !one.machine.isRunning());

        assertThat(client.acknowledged()).isEqualTo(1);
        SimulatedMachineHalt.assertHalted(one, ExitCode.JOURNAL_FAILED);
        one.endSession().start();
        assertThat(one.client(LinkKind.OTHER).readOne(1, 0).payloads()).containsExactly("zero");
    }

    // P-115; S-21 for data file, index and small files: entries stay in the journal.
    @Test
    void aFailedFlushHaltsAndLosesNothing() {
        for (String part : List.of("entries-", "index-", "checkpoint")) {
            SimulatedBookie one = new SimulatedBookie(10).format().start();
            TestClient client = one.client(LinkKind.APPEND);
            one.data().faults().failOnce(DiskFaults.Call.SYNC, part);
            int sent = 0;
            while (one.machine.isRunning() && sent < 500) {
                client.add(1, sent++, "entry " + "-".repeat(500));
                one.world.runFor(2_000_000);
            }

            SimulatedMachineHalt.assertHalted(one, ExitCode.STORAGE_FAILED);
            int acknowledged = client.acknowledged();
            one.endSession().start();
            TestClient reader = one.client(LinkKind.OTHER);
            for (int i = 0; i < acknowledged; i++) {
                assertThat(reader.readOne(1, i).entries()).as(part + i).hasSize(1);
            }
        }
    }

    /** How the process of a bookie ended. */
    private static final class SimulatedMachineHalt {
        private SimulatedMachineHalt() {}

        private static void assertHalted(SimulatedBookie one, ExitCode exitCode) {
            assertThat(one.machine.isRunning()).isFalse();
            assertThat(one.machine.lastHalt()).isNotNull();
            assertThat(java.util.Objects.requireNonNull(one.machine.lastHalt()).exitCode())
                    .isEqualTo(exitCode.code());
        }
    }
}
