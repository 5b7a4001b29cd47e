// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A journal whose segments follow one another while records are staged by what waited for others. */
final class JournalTest implements JournalListener {
    private static final BookieId BOOKIE = new BookieId(1, 2);
    private static final int BLOCKS = 16;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final SimulatedHost host = world.machine("bookie").start();
    private final EventLoop loop = host.newLoop("core", Host.LoopKind.NETWORK);
    private final List<Integer> handedOver = new ArrayList<>();
    private long fenced;

    @Override
    public void readyToFlush(JournalSegment segment) {
        handedOver.add(segment.incarnation());
    }

    @Override
    public void roomAgain(int journal) {}

    @Override
    public void failed(String reason) {
        throw new AssertionError(reason);
    }

    private Journal journal(int files) {
        Disk disk = host.disk("/journal");
        int bytes = BLOCKS * disk.blockBytes();
        JournalRing.grow(disk, files, bytes);
        List<JournalSegment> segments = new ArrayList<>();
        for (String name : JournalRing.names(disk)) {
            segments.add(new JournalSegment(
                    disk.open(name, Disk.OpenMode.READ_WRITE_DURABLE), Slab.allocate(bytes, disk.blockBytes())));
        }
        JournalSetup setup = new JournalSetup(BOOKIE, segments, disk.blockBytes(), 4096, 1, 1, JournalCount.ONE);
        return new Journal(loop, loop, setup, this);
    }

    /** Each commit holds one fence, and takes a block. */
    private void fenceOneAfterTheOther(Journal journal, long last) {
        if (journal.stageFence(fenced) && fenced < last) {
            fenced++;
            journal.whenDurable(() -> fenceOneAfterTheOther(journal, last));
        }
    }

    // B7
    @Test
    void segmentIsHandedOverOnceAlthoughTheNextOneIsBegunByWhatWaitedForItsLastCommit() {
        Journal journal = journal(3);

        loop.execute(() -> fenceOneAfterTheOther(journal, 2 * BLOCKS));

        assertThat(world.runUntil(() -> fenced == 2 * BLOCKS, PATIENCE_NANOS)).isTrue();
        world.runFor(PATIENCE_NANOS);
        assertThat(handedOver).containsExactly(1, 2);
    }
}
