// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.CookieFile;
import io.daybook.bookie.disk.Tenure;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of small file, and the journal, with a byte flipped, a block zeroed or its end cut off, at many places: the start refuses, or goes on with what
 * it has elsewhere; in both cases the message names the file and where it is (S-12, B5, B6).
 */
final class SmallFileDamageTest {
    private static final int ENTRIES = 8;
    private static final int PLACES = 9;

    private static SimulatedBookie stopped(long seed) {
        SimulatedBookie one = new SimulatedBookie(seed);
        one.config = one.config.withSlabs(256 * 1024, 3);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
        }
        one.close();
        one.endSession();
        one.stores();
        return one;
    }

    private static long size(Disk disk, String name) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            return file.size();
        }
    }

    /** Damages the file at many places, each in a bookie of its own, and tells what the bookie says while it starts. */
    private static void atManyPlaces(
            FileDamage damage, String root, String name, BiConsumer<SimulatedBookie, LogLines> expected) {
        for (int place = 0; place < PLACES; place++) {
            SimulatedBookie one = stopped(place);
            Disk disk = one.machine.host().disk(root);
            damage.at(disk, name, size(disk, name) * place / PLACES);
            try (LogLines lines = new LogLines()) {
                expected.accept(one, lines);
            }
        }
    }

    private static void assertRefused(SimulatedBookie one, ExitCode exitCode, String... parts) {
        CompletableFuture<Bookie> starting = one.tryStart();

        Throwable failure = starting.handle((bookie, thrown) -> thrown).join();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        BookieStartException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(exitCode))
                .hasMessageContainingAll(parts);
    }

    private static void assertServes(SimulatedBookie one) {
        TestClient reader = one.client(LinkKind.OTHER);
        assertThat(reader.readAndWait(5, 0, 2 * ENTRIES, ReadRequest.FLAG_UNCONFIRMED)
                        .payloads())
                .hasSize(ENTRIES)
                .startsWith("entry 0", "entry 1");
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void aCookie(FileDamage damage) {
        for (String root : List.of(SimulatedBookie.JOURNAL, SimulatedBookie.DATA)) {
            atManyPlaces(
                    damage,
                    root,
                    CookieFile.NAME,
                    (one, lines) -> assertRefused(one, ExitCode.IDENTITY, "the cookie in " + root, "from a copy"));
        }
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void oneCopyOfTheMark(FileDamage damage) {
        for (String root : List.of(SimulatedBookie.JOURNAL, SimulatedBookie.DATA)) {
            atManyPlaces(damage, root, "checkpoint", (one, lines) -> {
                one.start();

                lines.assertSaid(
                        damage + " in " + root, "WARN path=bookie-0:" + root + " file=checkpoint state=DAMAGED");
                assertServes(one);
                one.close();
                int before = lines.all().size();
                one.endSession();
                one.start();
                assertThat(lines.all()).as("it is written again").hasSize(before);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void allCopiesOfTheMark(FileDamage damage) {
        atManyPlaces(damage, SimulatedBookie.JOURNAL, "checkpoint", (one, lines) -> {
            damage.at(one.machine.host().disk(SimulatedBookie.DATA), "checkpoint", 30);

            assertRefused(one, ExitCode.DISK, "'checkpoint'");

            lines.assertSaid("journal", "path=bookie-0:" + SimulatedBookie.JOURNAL + " file=checkpoint");
            lines.assertSaid("data", "path=bookie-0:" + SimulatedBookie.DATA + " file=checkpoint");
        });
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void theTenure(FileDamage damage) {
        atManyPlaces(damage, SimulatedBookie.DATA, Tenure.NAME, (one, lines) -> {
            one.start();

            lines.assertSaid(
                    damage.name(), "WARN path=bookie-0:" + SimulatedBookie.DATA + " file=tenure state=DAMAGED");
            assertServes(one);
        });
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void theNotesOfDamage(FileDamage damage) {
        for (int place = 0; place < PLACES; place++) {
            SimulatedBookie one = stopped(place);
            Disk data = one.machine.host().disk(SimulatedBookie.DATA);
            DamageNotes.read(data).accepted().write(data);
            damage.at(data, DamageNotes.NAME, size(data, DamageNotes.NAME) * place / PLACES);
            try (LogLines lines = new LogLines()) {
                one.start();

                lines.assertSaid(
                        damage.name(), "WARN path=bookie-0:" + SimulatedBookie.DATA + " file=damage state=DAMAGED");
                assertServes(one);
                assertThat(one.client(LinkKind.OTHER)
                                .readOne(5, ENTRIES)
                                .header()
                                .status()
                                .isProofOfAbsence())
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void theNotesOfTheScrub(FileDamage damage) {
        for (int place = 0; place < PLACES; place++) {
            SimulatedBookie one = stopped(place);
            Disk data = one.machine.host().disk(SimulatedBookie.DATA);
            ScrubNotes.none().write(data);
            damage.at(data, ScrubNotes.NAME, size(data, ScrubNotes.NAME) * place / PLACES);
            try (LogLines lines = new LogLines()) {
                one.start();

                lines.assertSaid(
                        damage.name(), "WARN path=bookie-0:" + SimulatedBookie.DATA + " file=scrub state=DAMAGED");
                assertServes(one);
            }
        }
    }

    /** Of a journal nothing but its last commit can be taken for one that a crash tore. */
    // A crash leaves no file of a ring shorter than the others, so one that is was cut: what it lacks may have been
    // acknowledged.
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 4096, 3 * 4096, 250_000})
    void aJournalFileThatIsCutShort(int bytes) {
        SimulatedBookie one = new SimulatedBookie(bytes);
        one.config = one.config.withSlabs(256 * 1024, 3).withFlushAge(Duration.ofDays(1));
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
        }
        one.crash(CrashMode.LOSE_ALL);
        one.stores();

        FileDamage.CUT.at(one.machine.host().disk(SimulatedBookie.JOURNAL), "journal-0000.ring", bytes);

        assertRefused(
                one,
                ExitCode.JOURNAL_DAMAGED,
                SimulatedBookie.JOURNAL,
                "journal-0000.ring is cut short",
                "" + 256 * 1024);
    }

    // Files that are not needed any more get another size one by one, which a crash may cut short.
    @Test
    void aRingOfWhichSomeFilesHaveAnotherSizeAlreadyIsWhole() {
        SimulatedBookie one = new SimulatedBookie(1);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        assertThat(writer.addAndWait(5, 0, "entry 0")).isEqualTo(StatusCode.OK);
        one.crash(CrashMode.LOSE_ALL);
        one.stores();
        one.config = one.config.withSlabs(4 * SimulatedBookie.SLAB_BYTES, 3);
        one.start();
        one.crash(CrashMode.LOSE_ALL);
        one.stores();
        Disk journal = one.machine.host().disk(SimulatedBookie.JOURNAL);

        // As a start that went no further than the second file.
        FileDamage.CUT.at(journal, "journal-0002.ring", SimulatedBookie.SLAB_BYTES);

        one.start();
    }

    @ParameterizedTest
    @EnumSource(
            value = FileDamage.class,
            names = {"FLIPPED", "ZEROED"})
    void theJournal(FileDamage damage) {
        for (int commit = 0; commit < ENTRIES - 1; commit++) {
            SimulatedBookie one = new SimulatedBookie(commit);
            one.config = one.config.withSlabs(256 * 1024, 3).withFlushAge(Duration.ofDays(1));
            one.format().start();
            TestClient writer = one.client(LinkKind.APPEND);
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
            }
            one.crash(CrashMode.LOSE_ALL);
            one.stores();

            damage.at(one.machine.host().disk(SimulatedBookie.JOURNAL), "journal-0000.ring", commit * 4096L + 40);

            assertRefused(one, ExitCode.JOURNAL_DAMAGED, SimulatedBookie.JOURNAL, "journal-0000.ring", "damaged at");
        }
    }
}
