// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk of 64 MB on which nobody makes room: the bookie gets it back by itself (S-17, S-26, B13, B14). */
final class FilledDiskTest {
    private static final long CAPACITY = 64L * 1024 * 1024;
    private static final long KEPT = 1;
    private static final long DELETED = 2;
    private static final int KEPT_ENTRIES = 40;

    private final CleanupScene scene = new CleanupScene(51);
    private final SimulatedBookie one = scene.one;

    @BeforeEach
    void aSmallDisk() {
        one.data().quality(DiskQuality.SOLID_STATE.withCapacity(CAPACITY));
        one.config = one.config.withSlabs(2 * 1024 * 1024, 3).withSpace(new SpaceConfig(3));
        scene.start();
        scene.createLedgers(KEPT, DELETED);
        one.world.runFor(TimeUnit.SECONDS.toNanos(3));
    }

    private boolean isReadOnly() {
        return one.stores().bookies().live().join().stream().anyMatch(registration -> registration.readOnly());
    }

    /** Adds to the ledger that is deleted later until the bookie is read-only; how many entries it took. */
    private int addUntilReadOnly() {
        TestClient writer = one.client(LinkKind.APPEND);
        int taken = 0;
        while (writer.answeredWith(StatusCode.READ_ONLY) == 0) {
            for (int i = 0; i < 8; i++) {
                writer.addAt(DELETED, taken + i, -1, new byte[100_000], 0);
            }
            int sent = taken + 8;
            one.until(() -> writer.acknowledged() + writer.answeredWith(StatusCode.READ_ONLY) == sent);
            taken = writer.acknowledged();
        }
        return taken;
    }

    /** Somebody else takes the last byte, and keeps it. */
    private void fillToTheLastByte() {
        Disk data = scene.data();
        int number = 0;
        for (int bytes = 1024 * 1024; bytes >= 512; bytes /= 2) {
            while (data.usableBytes("") >= bytes) {
                try (DiskFile file = data.open("ballast-" + number++, Disk.OpenMode.CREATE_NEW)) {
                    file.write(0, ByteBuffer.allocate(bytes));
                    file.sync();
                } catch (DiskException full) {
                    break;
                }
            }
        }
        data.syncDirectory("");
        assertThat(data.usableBytes("")).isLessThan(512);
    }

    @Test
    void aDiskWithoutAFreeByteStartsReadOnlyServesReclaimsByCleanupAndWritesAgain() {
        scene.fill(KEPT, KEPT_ENTRIES);
        assertThat(addUntilReadOnly()).isGreaterThan(400);
        scene.metadata().delete(DELETED).join();
        one.crash(CrashMode.LOSE_ALL);
        one.machine.start();
        fillToTheLastByte();

        one.start();

        assertThat(isReadOnly()).isTrue();
        assertThat(one.client(LinkKind.APPEND).addAndWait(KEPT, KEPT_ENTRIES, "no"))
                .isEqualTo(StatusCode.READ_ONLY);
        scene.assertHeld(KEPT, KEPT_ENTRIES);

        scene.roundsOfGrace();
        scene.majorRound();

        one.until(() -> !isReadOnly());
        scene.assertGone(DELETED, 3);
        assertThat(one.client(LinkKind.APPEND).addAndWait(KEPT, KEPT_ENTRIES, CleanupScene.payload(KEPT, KEPT_ENTRIES)))
                .isEqualTo(StatusCode.OK);
        one.crash(CrashMode.LOSE_ALL).start();
        scene.assertHeld(KEPT, KEPT_ENTRIES + 1);
    }
}
