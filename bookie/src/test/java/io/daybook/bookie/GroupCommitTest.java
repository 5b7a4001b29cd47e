// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.simulated.disk.DiskOperation;
import io.daybook.runtime.simulated.disk.OperationLog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** S-54: one write of the journal takes all entries that wait for it, so entries per write grow with the load, over rolls of the journal too. */
final class GroupCommitTest {
    private static final int ENTRIES = 640;

    /** Entries acknowledged per durable write of the journal's device, with so many appends under way. */
    private static double entriesPerWrite(int window) {
        SimulatedBookie one = new SimulatedBookie(window);
        one.config = one.config.withSlabs(256 * 1024, 3);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        OperationLog log = one.journal().recordOperations();
        int sent = 0;
        while (sent < ENTRIES) {
            for (int i = 0; i < window; i++) {
                writer.add(5, sent++, "-".repeat(1000));
            }
            int expected = sent;
            one.until(() -> writer.acknowledged() == expected);
        }
        long writes = log.operations().stream()
                .filter(operation -> operation instanceof DiskOperation.Write write
                        && write.bytes().remaining() >= 1000)
                .count();
        return (double) ENTRIES / writes;
    }

    @Test
    void entriesPerWriteGrowWithTheLoad() {
        double alone = entriesPerWrite(1);
        double few = entriesPerWrite(8);
        double many = entriesPerWrite(64);

        assertThat(alone).isBetween(0.9, 1.0);
        assertThat(few).isGreaterThanOrEqualTo(3);
        assertThat(many).isGreaterThanOrEqualTo(2 * few);
    }

    // S-51 c
    @Test
    void aBookieStopsSoonInTheMidstOfThrottledCompactionWithFullQueues() {
        CleanupScene scene = new CleanupScene(7);
        scene.one.config =
                scene.one.config.withCleanup(scene.one.config.cleanup().withBytesPerSecondMax(1024));
        scene.start();
        scene.createLedgers(1, 2);
        scene.fill(1, 40);
        scene.fill(2, 40);
        scene.recycleTheJournal();
        scene.delete(1);
        var round = scene.one.bookie().cleanUp(true);
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(round).isNotDone();
        scene.one.data().faults().slowDown(50);
        scene.createLedgers(3);
        TestClient writer = scene.one.client(LinkKind.APPEND);
        for (int i = 0; i < 500; i++) {
            writer.add(3, i, "full " + "-".repeat(1000));
        }
        scene.one.world.runFor(TimeUnit.MILLISECONDS.toNanos(50));

        var closing = scene.one.bookie().close();
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(30));

        assertThat(closing).isCompleted();
        assertThat(round).isCompletedExceptionally();
    }
}
