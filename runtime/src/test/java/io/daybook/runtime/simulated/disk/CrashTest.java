// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.DiskFile.CommitHandler;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a loss of power leaves of what was not durable, by mode. */
final class CrashTest {
    private static final int SECTOR = 512;

    /** A disk with the synced file {@code old} of two sectors of 1, then unsynced: three more writes to it, a new file, a rename, a delete. */
    private static DiskImage image() {
        DiskImage image = new DiskImage();
        image.create("old");
        image.create("gone");
        image.create("from");
        image.syncDirectory("");
        image.write(1, 0, filled(2 * SECTOR, 1));
        image.persist(1, image.lastSequence());
        image.write(1, 0, filled(SECTOR, 2));
        image.write(1, SECTOR, filled(SECTOR, 3));
        image.write(1, 2 * SECTOR, filled(4 * SECTOR, 4));
        image.create("new");
        image.rename("from", "to");
        image.delete("gone");
        return image;
    }

    private static ByteBuffer filled(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private static DiskImage crashed(CrashMode mode, long seed) {
        return image().afterCrash(Survivors.drawn(mode, seed));
    }

    /** The first byte of each sector. */
    private static List<Integer> sectors(DiskImage image) {
        byte[] bytes = image.durableBytes("old");
        List<Integer> firsts = new ArrayList<>();
        for (int i = 0; i < bytes.length; i += SECTOR) {
            firsts.add((int) bytes[i]);
        }
        return firsts;
    }

    private static Set<String> outcomes(CrashMode mode) {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 300; seed++) {
            DiskImage left = crashed(mode, seed);
            outcomes.add(sectors(left) + " " + left.list(""));
        }
        return outcomes;
    }

    @Test
    void theUsedBytesAreThoseOfTheFilesThatHaveAName() {
        DiskImage image = image();
        assertThat(image.usedBytes()).isEqualTo(6 * SECTOR);
        image.write(4, 0, filled(SECTOR, 5));
        image.write(2, 0, filled(SECTOR, 5));
        assertThat(image.usedBytes()).as("written to a deleted file too").isEqualTo(7 * SECTOR);
        image.truncate(1, 4 * SECTOR);
        assertThat(image.usedBytes()).as("cut").isEqualTo(5 * SECTOR);
        image.rename("new", "old");
        image.write(1, 0, filled(8 * SECTOR, 6));
        assertThat(image.usedBytes()).as("replaced").isEqualTo(SECTOR);
        assertThat(image.copy().usedBytes()).isEqualTo(SECTOR);
        assertThat(image.afterCrash(Survivors.drawn(CrashMode.LOSE_ALL, 1)).usedBytes())
                .as("every change lost")
                .isEqualTo(2 * SECTOR);
    }

    @Test
    void readsSeeEverythingBeforeTheCrash() {
        assertThat(image().list("")).containsExactly("new", "old", "to");
        assertThat(image().size(1)).isEqualTo(6 * SECTOR);
        assertThat(image().unsyncedCount()).isEqualTo(6);
    }

    @Test
    void everythingUnsyncedMayBeLost() {
        assertThat(outcomes(CrashMode.LOSE_ALL)).containsExactly("[1, 1] [from, gone, old]");
    }

    @Test
    void everythingUnsyncedMaySurvive() {
        assertThat(outcomes(CrashMode.KEEP_ALL)).containsExactly("[2, 3, 4, 4, 4, 4] [new, old, to]");
    }

    @Test
    void prefixMaySurvive() {
        assertThat(outcomes(CrashMode.KEEP_PREFIX))
                .containsExactlyInAnyOrder(
                        "[1, 1] [from, gone, old]",
                        "[2, 1] [from, gone, old]",
                        "[2, 3] [from, gone, old]",
                        "[2, 3, 4, 4, 4, 4] [from, gone, old]",
                        "[2, 3, 4, 4, 4, 4] [from, gone, new, old]",
                        "[2, 3, 4, 4, 4, 4] [gone, new, old, to]",
                        "[2, 3, 4, 4, 4, 4] [new, old, to]");
    }

    @Test
    void anySubsetMaySurviveWhateverItsOrder() {
        assertThat(outcomes(CrashMode.ANY_SUBSET))
                .hasSizeGreaterThan(50)
                .contains("[1, 3] [from, gone, old]", "[1, 1, 4, 4, 4, 4] [new, old, to]");
    }

    @Test
    void newestWriteMayBeTornAtSectors() {
        assertThat(outcomes(CrashMode.TEAR_LAST))
                .contains("[2, 3, 4, 0, 0, 0] [from, gone, old]", "[2, 3, 0, 4, 4, 0] [from, gone, old]")
                .noneMatch(outcome -> outcome.startsWith("[1, 3"));
    }

    @Test
    void everyWriteMayBeTornAtSectors() {
        assertThat(outcomes(CrashMode.TEAR_ALL))
                .contains("[1, 1, 0, 4, 0, 4] [new, old, to]")
                .allMatch(outcome -> outcome.endsWith("[new, old, to]"))
                .noneMatch(outcome -> outcome.startsWith("[1, 1, 4, 4, 4, 4]"));
    }

    @Test
    void sizeMayGrowWithoutTheBytes() {
        assertThat(sectors(crashed(CrashMode.GROW, 0)).subList(0, 2)).containsExactly(1, 1);
        assertThat(crashed(CrashMode.GROW, 0).size(1)).isEqualTo(6 * SECTOR);
        assertThat(outcomes(CrashMode.GROW)).hasSizeGreaterThan(10).contains("[1, 1, 0, 0, 0, 0] [new, old, to]");
    }

    @Test
    void namesMayBeLostWithoutTheBytesAndTheBytesWithoutTheNames() {
        assertThat(outcomes(CrashMode.LOSE_NAMES)).containsExactly("[2, 3, 4, 4, 4, 4] [from, gone, old]");
        assertThat(outcomes(CrashMode.LOSE_BYTES)).containsExactly("[1, 1] [new, old, to]");
    }

    @Test
    void whatACrashLeftIsDurable() {
        DiskImage left = crashed(CrashMode.KEEP_ALL, 0);

        assertThat(left.unsyncedCount()).isZero();
        assertThat(sectors(left.afterCrash(Survivors.none()))).isEqualTo(sectors(left));
    }

    @Test
    void failedSyncMayHaveSavedSomeSectorsButNeverTheNewestWrite() {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 50; seed++) {
            DiskImage image = image();
            image.forget(1, image.lastSequence(), seed);
            outcomes.add(sectors(image.afterCrash(Survivors.all())).toString());
        }

        // Each of the two older writes is one sector, which a torn write cannot save: only a longer one shows that some
        // is saved.
        assertThat(outcomes).containsExactly("[1, 1]");
        assertThat(failedSyncOfALongWrite())
                .contains("[4, 0, 4, 4]", "[0, 0, 0, 0]")
                .doesNotContain("[4, 4, 4, 4]");
    }

    private static Set<String> failedSyncOfALongWrite() {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 200; seed++) {
            DiskImage image = new DiskImage();
            image.create("old");
            image.syncDirectory("");
            image.truncate(1, 4 * SECTOR);
            image.persist(1, image.lastSequence());
            image.write(1, 0, filled(4 * SECTOR, 4));
            image.write(1, 0, filled(SECTOR, 5));
            image.forget(1, image.lastSequence(), seed);
            outcomes.add(sectors(image).toString());
        }
        return outcomes;
    }

    @Test
    void syncedBytesUnderAnUnsyncedNameAreLostWithTheName() {
        DiskImage image = new DiskImage();
        image.create("a");
        image.write(1, 0, filled(10, 1));
        image.persist(1, image.lastSequence());

        assertThat(image.afterCrash(Survivors.none()).list("")).isEmpty();
        assertThat(image.durableBytes("a")).isEmpty();
    }

    /** Runs three commits of one block each, crashes after a while, and tells which were reported and which blocks are whole, torn or lost. */
    private static String commitsInFlight(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        SimulatedHost host = world.machine("a").start();
        EventLoop loop = host.newLoop("a-0", LoopKind.STORAGE);
        Disk disk = host.disk("/data");
        disk.open("journal", OpenMode.CREATE_NEW).close();
        disk.syncDirectory("");
        DiskFile file = disk.open("journal", OpenMode.READ_WRITE_DURABLE);
        int[] committed = {0};
        loop.execute(() -> {
            for (int i = 0; i < 3; i++) {
                file.commit(4096L * i, filled(4096, 7), loop, counting(committed));
            }
        });
        world.runFor(world.random("crash").nextBelow(2_000_000));
        world.machine("a").crash();
        byte[] left = Arrays.copyOf(world.machine("a").drive("/data").image().durableBytes("journal"), 3 * 4096);
        StringBuilder blocks = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            blocks.append(kindOf(Arrays.copyOfRange(left, 4096 * i, 4096 * (i + 1))));
        }
        assertThat(blocks.toString()).startsWith("W".repeat(committed[0]));
        return committed[0] + blocks.toString();
    }

    private static CommitHandler counting(int[] committed) {
        return new CommitHandler() {
            @Override
            public void committed() {
                committed[0]++;
            }

            @Override
            public void failed(DiskException failure) {
                throw failure;
            }
        };
    }

    private static char kindOf(byte[] block) {
        int written = 0;
        for (byte value : block) {
            written += value == 7 ? 1 : 0;
        }
        if (written == 0) {
            return 'L';
        }
        return written == block.length ? 'W' : 'T';
    }

    @Test
    void reportedCommitsSurviveAndThoseInFlightMeetAnyFate() {
        Set<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 500; seed++) {
            outcomes.add(commitsInFlight(seed));
        }

        assertThat(outcomes).contains("0LLL", "0WWW", "0LWW", "0TTT", "1WLL", "1WTT", "3WWW");
    }
}
