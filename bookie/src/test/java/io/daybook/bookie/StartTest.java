// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import io.daybook.runtime.simulated.disk.DiskImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Formatting, and every reason to refuse a start (B15): each names the thing and leaves nothing behind. */
final class StartTest {
    private final SimulatedBookie one = new SimulatedBookie(3);

    @Test
    void formattingTwiceConfirmsTheSameBookie() {
        BookieCookie first = one.format().cookie();

        assertThat(one.format().cookie()).isEqualTo(first);
    }

    // P-05
    @Test
    void wipedDirectoriesBecomeAnotherBookie() {
        BookieCookie first = one.format().cookie();
        one.machine.wipe(SimulatedBookie.JOURNAL);
        one.machine.wipe(SimulatedBookie.DATA);

        assertThat(one.format().cookie().bookieId()).isNotEqualTo(first.bookieId());
    }

    @Test
    void anInterruptedFormatIsContinuedWithTheSameId() {
        BookieCookie first = one.format().cookie();
        SimulatedBookie other = new SimulatedBookie(3);
        other.journal().replace(one.journal().image().copy());

        assertThat(other.format().cookie().bookieId()).isEqualTo(first.bookieId());
        other.start();
    }

    @Test
    void directoriesThatHoldSomethingElseAreNotFormatted() {
        one.machine.start().disk(SimulatedBookie.DATA).open("holiday.jpg", Disk.OpenMode.CREATE_NEW);

        assertFormatRefused("not empty");
    }

    // D9, P-48: a wiped disk must not speak for what the old one promised.
    @Test
    void oneWipedDirectoryOfAKnownBookieIsNotFormattedAgain() {
        one.format();
        one.machine.wipe(SimulatedBookie.JOURNAL);

        assertFormatRefused("journal-0");
    }

    @Test
    void directoriesOfAnotherClusterAreNotFormatted() {
        one.format();

        CompletableFuture<BookieCookie> formatting =
                BookieFormat.format(one.config, one.machine.host(), otherCluster());
        one.until(formatting::isDone);

        assertRefusal(formatting, ExitCode.IDENTITY, "cluster");
    }

    // V7
    @Test
    void formattingADirectoryThatCannotBeReadIsRefused() {
        one.format();
        one.data().faults().failAlways(DiskFaults.Call.READ, "cookie");

        CompletableFuture<BookieCookie> formatting = BookieFormat.format(one.config, one.machine.host(), one.stores());
        one.until(formatting::isDone);

        assertRefusal(formatting, ExitCode.DISK, "cannot format", "cookie");
        one.data().faults().heal();
        one.start();
    }

    // V7
    @ParameterizedTest
    @EnumSource(
            value = ExitCode.class,
            names = {"MEMORY", "VIOLATION"})
    void formattingEndsWithAnAnswerWhateverIsThrown(ExitCode code) {
        Host host = new WithoutDisks(
                one.machine.start(),
                code == ExitCode.MEMORY ? new OutOfMemoryError("heap") : new IllegalStateException("odd"));

        CompletableFuture<BookieCookie> formatting = BookieFormat.format(one.config, host, one.stores());
        one.until(formatting::isDone);

        assertRefusal(formatting, code, "cannot format");
        one.format().start();
    }

    /** A host that throws {@code thrown} instead of showing a directory. */
    private record WithoutDisks(Host host, Throwable thrown) implements Host.Forwarding {
        @Override
        public Disk disk(String path) {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }
    }

    private static MemoryMetadataStores otherCluster() {
        MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
        stores.cluster().initialize(new ClusterInfo(new ClusterId(9, 9), 1)).join();
        return stores;
    }

    // P-47
    @Test
    void anUnformattedBookieIsNotStarted() {
        assertStartRefused(ExitCode.IDENTITY, "bookie format");
    }

    // S-32 c, P-47
    @Test
    void anEmptyDirectoryRefusesToStart() {
        one.format();
        one.machine.wipe(SimulatedBookie.DATA);

        assertStartRefused(ExitCode.IDENTITY, "data-0");
    }

    // S-32 b
    @Test
    void swappedDirectoriesRefuseToStart() {
        one.format();
        DiskImage journal = one.journal().image().copy();
        one.journal().replace(one.data().image().copy());
        one.data().replace(journal);

        assertStartRefused(ExitCode.IDENTITY, "swapped");
    }

    // S-32 b
    @Test
    void aDirectoryOfAnotherBookieRefusesToStart() {
        one.format();
        SimulatedBookie other = new SimulatedBookie(4).format();
        one.data().replace(other.data().image().copy());

        assertStartRefused(ExitCode.IDENTITY, "belongs to bookie");
    }

    // P-48
    @Test
    void anUnreadableCookieRefusesToStart() {
        one.format();
        one.journal().corrupt("cookie", 40, 1);

        assertStartRefused(ExitCode.IDENTITY, "cannot be read");
    }

    @Test
    void anotherClusterRefusesToStart() {
        one.format();

        CompletableFuture<Bookie> starting = Bookie.start(one.config, one.machine.host(), otherCluster());
        one.until(starting::isDone);

        assertRefusal(starting, ExitCode.IDENTITY, "belongs to cluster");
    }

    // P-47
    @Test
    void aCookieUnknownToMetadataRefusesToStart() {
        one.format();
        MemoryMetadataStores empty = new MemoryMetadataStores(new MemoryMetadata());
        empty.cluster().initialize(new ClusterInfo(SimulatedBookie.CLUSTER, 1)).join();

        CompletableFuture<Bookie> starting = Bookie.start(one.config, one.machine.host(), empty);
        one.until(starting::isDone);

        assertRefusal(starting, ExitCode.IDENTITY, "not known in the metadata");
    }

    @Test
    void noClusterRefusesToStart() {
        one.format();
        MemoryMetadataStores empty = new MemoryMetadataStores(new MemoryMetadata());

        CompletableFuture<Bookie> starting = Bookie.start(one.config, one.machine.host(), empty);
        one.until(starting::isDone);

        assertRefusal(starting, ExitCode.METADATA, "cluster init");
    }

    @Test
    void directoriesInUseRefuseToStart() {
        one.format();
        one.machine.host().disk(SimulatedBookie.DATA).lock("");

        assertStartRefused(ExitCode.IN_USE, "in use");
    }

    @Test
    void aPortInUseRefusesToStartAndGivesTheDirectoriesBack() {
        one.format();
        CompletableFuture<Network.Listener> taken = one.machine
                .host()
                .network()
                .listen(
                        one.machine.host().newLoop("other", io.daybook.runtime.Host.LoopKind.NETWORK),
                        one.config.listen(),
                        remote -> {
                            throw new AssertionError("nobody connects");
                        });
        one.until(taken::isDone);

        assertStartRefused(ExitCode.PORT, "3181");

        CompletableFuture<Void> freed = taken.join().close();
        one.until(freed::isDone);
        one.start();
    }

    // S-32 d
    @Test
    void aSecondLiveProcessWithTheSameIdIsRefused() {
        one.format().start();
        MemoryMetadataStores second = new MemoryMetadataStores(one.metadata);
        one.world
                .machine("bookie-1")
                .drive(SimulatedBookie.JOURNAL)
                .replace(one.journal().image().copy());
        one.world
                .machine("bookie-1")
                .drive(SimulatedBookie.DATA)
                .replace(one.data().image().copy());
        BookieConfig config = one.config.withListen(new io.daybook.runtime.Endpoint("bookie-1", 3181));

        CompletableFuture<Bookie> starting =
                Bookie.start(config, one.world.machine("bookie-1").start(), second);
        one.until(starting::isDone);

        assertRefusal(starting, ExitCode.IN_USE, "another live process");
    }

    // S-32 d: its session had ended without its knowing, and a copy of its directories was started.
    @Test
    void aBookieInWhosePlaceAnotherIsRegisteredStopsAndNamesIt() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        writer.addAndWait(5, 0, "zero");
        BookieRegistration own = one.stores().bookies().live().join().get(0);
        BookieRegistration other =
                new BookieRegistration(own.bookieId(), "copy", "elsewhere", 4181, false, "", own.usableBytes());
        BookieRegistry.Tokens tokens = new BookieRegistry.Tokens(new WriteToken(9, 9), List.of(notedToken()));

        new MemoryMetadataStores(one.metadata).bookies().register(other, tokens).join();
        one.until(() -> !one.machine.isRunning());

        assertThat(one.machine.lastHalt()).isNotNull().satisfies(halt -> {
            assertThat(halt.exitCode()).isEqualTo(ExitCode.REPLACED.code());
            assertThat(halt.reason()).contains("elsewhere:4181");
        });
        one.until(writer::isClosed);
        assertThat(one.stores().bookies().live().join()).containsExactly(other);
    }

    /** The token of the process that runs. */
    private WriteToken notedToken() {
        ByteBuffer tenure =
                ByteBuffer.wrap(one.data().image().durableBytes("tenure")).order(ByteOrder.LITTLE_ENDIAN);
        int at = 20 + tenure.getInt(12);
        return new WriteToken(tenure.getLong(at), tenure.getLong(at + Long.BYTES));
    }

    // S-27 c
    @Test
    void aProcessThatDiedIsReplacedAlthoughItsSessionLives() {
        one.format().start();
        MemoryMetadataStores dead = one.stores();
        one.machine.kill();
        one.forgetSession();
        one.machine.start();

        one.start();

        assertThat(one.stores().bookies().live().join()).hasSize(1);
        dead.close();
        assertThat(one.stores().bookies().live().join()).hasSize(1);
    }

    // S-27 c: several starts in a row may end before they register.
    @Test
    void startsThatWereCutShortDoNotHideTheProcessBeforeThem() {
        one.format().start();
        for (int i = 0; i < 3; i++) {
            one.machine.kill();
            one.forgetSession();
            one.machine.start();
            byte[] before = one.data().image().durableBytes("tenure");
            Bookie.start(one.config, one.machine.host(), one.stores());
            one.until(() -> !Arrays.equals(before, one.data().image().durableBytes("tenure")));
        }
        one.machine.kill();
        one.forgetSession();
        one.machine.start();

        one.start();
    }

    // A machine that lost power cannot tell whether its disks were copied meanwhile.
    @Test
    void afterALossOfPowerARegistrationIsNotTakenForADeadOne() {
        one.format().start();
        one.machine.crash(CrashMode.LOSE_ALL);
        one.forgetSession();
        one.machine.start();

        assertStartRefused(ExitCode.IN_USE, "another live process");
    }

    @Test
    void aDamagedNoteOfFormerProcessesProvesNothing() {
        one.format().start();
        one.machine.kill();
        one.forgetSession();
        one.machine.start();
        one.data().corrupt("tenure", 30, 1);

        assertStartRefused(ExitCode.IN_USE, "another live process");
    }

    // P-44, B6: before its replay a bookie could deny what it holds.
    @Test
    void nobodyReachesABookieWhoseReplayIsNotDone() {
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");
        one.crash(CrashMode.LOSE_ALL);
        MemoryMetadataStores stores = one.stores();
        one.journal().faults().stallFor(TimeUnit.SECONDS.toNanos(30));

        CompletableFuture<Bookie> starting = Bookie.start(one.config, one.machine.host(), stores);
        one.world.runFor(TimeUnit.SECONDS.toNanos(10));
        TestClient early = one.connect();
        one.until(early::isClosed);

        assertThat(starting).isNotDone();
        assertThat(stores.bookies().live().join()).isEmpty();
        one.until(starting::isDone);
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
    }

    @Test
    void aCleanStopGivesEverythingBackAndLeavesNothingToReplay() {
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");

        one.close();

        assertThat(one.stores().bookies().live().join()).isEmpty();
        one.start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
        assertThat(one.stores().bookies().live().join()).hasSize(1);
    }

    @Test
    void theRingTakesAnotherShapeWhenItsSettingsChange() {
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");
        one.close();

        one.config = one.config.withSlabs(2 * SimulatedBookie.SLAB_BYTES, 2);
        one.start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
        one.close();

        one.config = one.config.withSlabs(SimulatedBookie.SLAB_BYTES, 5);
        one.start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
    }

    private void assertFormatRefused(String part) {
        CompletableFuture<BookieCookie> formatting = BookieFormat.format(one.config, one.machine.host(), one.stores());
        one.until(formatting::isDone);

        assertRefusal(formatting, ExitCode.IDENTITY, part);
    }

    private void assertStartRefused(ExitCode exitCode, String part) {
        assertRefusal(one.tryStart(), exitCode, part);
    }

    static void assertRefusal(CompletableFuture<?> future, ExitCode exitCode, String... parts) {
        assertThat(future).isCompletedExceptionally();
        Throwable failure = future.handle((value, thrown) -> thrown).join();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        BookieStartException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(exitCode))
                .hasMessageContainingAll(parts);
        assertThat(failure.getMessage()).doesNotContain("\n");
    }
}
