// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.disk.CookieFile;
import io.daybook.bookie.disk.ReadOnlyFlag;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.index.IndexFile;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.OperationLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a bookie tells of itself, and what its directories tell of it while it does not run (S-52). */
final class DescriptionTest {
    private static final int ENTRIES = 100;

    private final CleanupScene scene = new CleanupScene(5);
    private final SimulatedBookie one = scene.one;

    private BookieDescription online() {
        one.world.runFor(TimeUnit.SECONDS.toNanos(3));
        TestClient client = scene.client();
        BookieDescription description = client.describe();
        client.close();
        return description;
    }

    private BookieDescription offline() {
        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host())) {
            return offline.describe();
        }
    }

    private void stop() {
        one.close();
        one.endSession();
    }

    private void entriesInLogsAndJournal() {
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, ENTRIES);
        scene.recycleTheJournal();
        scene.fill(2, 2);
    }

    @Test
    void aBookieTellsWhatItHolds() {
        entriesInLogsAndJournal();

        BookieDescription told = online();

        assertThat(told.startedMillis())
                .isPositive()
                .isLessThanOrEqualTo(
                        one.clientHost.newLoop("clock", Host.LoopKind.NETWORK).wallMillis());
        assertThat(told.readOnlyBecause()).isEmpty();
        assertThat(told.problems()).isEmpty();
        assertThat(told.ledgers()).isEqualTo(new BookieDescription.Ledgers(3, 0, 0));
        assertThat(told.logs().count()).isEqualTo(scene.logs().size()).isPositive();
        assertThat(told.logs().liveEntries()).isGreaterThanOrEqualTo(ENTRIES);
        assertThat(told.logs().liveBytes()).isPositive().isEqualTo(told.logs().bytes());
        assertThat(told.index().bytes()).isPositive();
        assertThat(told.journals()).singleElement().satisfies(ring -> {
            assertThat(ring.files()).isEqualTo(3);
            assertThat(ring.freeFiles()).isEqualTo(2);
            assertThat(ring.replayBytes()).isPositive().isLessThanOrEqualTo(SimulatedBookie.SLAB_BYTES);
        });
        assertThat(told.directories()).hasSize(2);
        assertThat(told.directories().get(0)).satisfies(data -> {
            assertThat(data.role()).isEqualTo("data-0");
            assertThat(data.path()).isEqualTo(SimulatedBookie.DATA);
            assertThat(data.state()).isEqualTo("roomy");
            assertThat(data.usableBytes()).isPositive().isLessThan(data.totalBytes());
        });
        assertThat(told.directories().get(1).path()).isEqualTo(SimulatedBookie.JOURNAL);
        assertThat(told.directories().get(1).totalBytes()).isPositive();
    }

    @Test
    void whatCleanupDidIsTold() {
        entriesInLogsAndJournal();
        scene.delete(1);
        scene.majorRound();

        BookieDescription told = online();

        assertThat(told.cleanup().rounds()).isEqualTo(3);
        assertThat(told.cleanup().state()).isEqualTo("waiting");
        assertThat(told.cleanup().ledgersGivenUp()).isEqualTo(1);
        assertThat(told.cleanup().logsRemoved()).isPositive();
        assertThat(told.ledgers().givenUp()).isEqualTo(1);
    }

    @Test
    void whyItTakesNoEntriesIsTold() {
        scene.start();
        ReadOnlyFlag.set(scene.data(), true);

        assertThat(online().readOnlyBecause()).containsExactly(BookieDescription.ReadOnly.FORCED);

        ReadOnlyFlag.set(scene.data(), false);
        assertThat(online().readOnlyBecause()).isEmpty();
    }

    @Test
    void ledgersInLimboAreCountedWhenALogIsLost() {
        entriesInLogsAndJournal();
        stop();
        String log = scene.logs().get(0);
        scene.data().delete(log);
        scene.data().delete(log.replace("entries-", "index-").replace(".log", ".idx"));
        scene.data().syncDirectory("");
        BookieDescription before = offline();
        one.start();

        BookieDescription told = online();

        assertThat(before.problems()).singleElement().asString().contains("is lost");
        assertThat(before.readOnlyBecause()).containsExactly(BookieDescription.ReadOnly.IN_DOUBT);
        assertThat(told.problems()).isEmpty();
        assertThat(told.ledgers().inLimbo()).isPositive();
        stop();
        assertThat(offline().ledgers()).isEqualTo(told.ledgers());
    }

    @Test
    void itIsMadeOnceASecondAtMost() {
        scene.start();
        scene.createLedgers(1);
        TestClient client = scene.client();
        BookieDescription first = client.describe();
        scene.fill(1, 1);

        assertThat(client.describe()).isEqualTo(first);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(client.describe().ledgers().count()).isEqualTo(1);
    }

    // B8: what a start replays.
    @Test
    void aBookieThatDoesNotRunIsDescribedAsItsNextStartFindsItAndNothingIsChanged() {
        entriesInLogsAndJournal();
        BookieDescription running = online();
        one.crash(CrashMode.LOSE_ALL);
        one.stores();
        OperationLog data = one.data().recordOperations();
        OperationLog journal = one.journal().recordOperations();

        BookieDescription told = offline();

        assertThat(data.operations()).isEmpty();
        assertThat(journal.operations()).isEmpty();
        assertThat(told.ledgers()).isEqualTo(running.ledgers());
        assertThat(told.logs()).isEqualTo(running.logs());
        assertThat(told.startedMillis()).isZero();
        assertThat(told.problems()).isEmpty();
        assertThat(told.journals()).singleElement().satisfies(ring -> {
            assertThat(ring.freeFiles()).isEqualTo(2);
            assertThat(ring.replayBytes()).isPositive();
        });
        one.start();
        assertThat(online().ledgers()).isEqualTo(told.ledgers());
    }

    @Test
    void aDamagedIndexFileIsLookedOverAndNotMadeAgain() {
        entriesInLogsAndJournal();
        stop();
        BookieDescription sound = offline();
        String index = IndexFile.name(EntryLogFormat.logId(scene.logs().get(0)));
        try (DiskFile file = scene.data().open(index, Disk.OpenMode.READ_WRITE)) {
            file.write(50, ByteBuffer.wrap(new byte[] {0x5a}));
            file.sync();
        }
        OperationLog data = one.data().recordOperations();
        OperationLog journal = one.journal().recordOperations();

        assertThat(offline().logs()).isEqualTo(sound.logs());
        assertThat(data.operations()).isEmpty();
        assertThat(journal.operations()).isEmpty();
    }

    @Test
    void aDamagedJournalIsAProblemAndNoReasonToShowNothing() {
        scene.one.config = scene.one.config.withSlabs(128 * 1024, 3);
        scene.start();
        scene.createLedgers(1);
        scene.fill(1, ENTRIES);
        one.crash(CrashMode.LOSE_ALL);
        one.stores();
        String content =
                new String(one.journal().image().durableBytes("journal-0000.ring"), StandardCharsets.ISO_8859_1);
        one.journal().corrupt("journal-0000.ring", content.indexOf("ledger 1 entry 1-"), 1);

        BookieDescription told = offline();

        assertThat(told.problems()).singleElement().asString().contains(SimulatedBookie.JOURNAL, "damaged");
        assertThat(told.journals().get(0).replayBytes()).isEqualTo(BookieDescription.UNKNOWN);

        try (OfflineBookie offline = OfflineBookie.open(one.config, one.machine.host());
                LogLines lines = new LogLines()) {
            offline.acceptDamage();
            List<String> problems = offline.describe().problems();
            assertThat(problems).anySatisfy(line -> assertThat(line).contains(SimulatedBookie.JOURNAL, "damaged"));
            assertThat(problems).anySatisfy(line -> assertThat(line).contains("is accepted"));
            assertThat(lines.all()).as("nothing is accepted by looking").isEmpty();
        }
    }

    // B15
    @Test
    void directoriesThatAreNoBookiesAreNotEvenLocked() {
        scene.start();
        stop();
        Disk foreign = one.machine.host().disk("/foreign");
        foreign.createDirectories("");
        BookieConfig config = one.config.withDirectories(List.of("/foreign"), one.config.dataDirectories());
        Disk.DirectoryLock others = foreign.lock("");

        assertThatThrownBy(() -> OfflineBookie.open(config, one.machine.host()))
                .isInstanceOf(BookieStartException.class)
                .hasMessageContaining("/foreign")
                .hasMessageContaining("is empty");
        others.close();
        assertThat(foreign.exists(CookieFile.NAME)).isFalse();
    }

    @Test
    void anAppendLinkMayAskToo() {
        scene.start();

        assertThat(one.client(LinkKind.APPEND).describe().directories()).hasSize(2);
    }
}
