// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Disk;
import io.daybook.runtime.Disk.OpenMode;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.DiskFile.CommitHandler;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every file promises that is opened for durable writes, and every commit, while nothing crashes. */
public abstract class DurableFileContract {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private PortsUnderTest ports;
    private Turns turns;
    private EventLoop loop;
    private Disk disk;

    /** Makes the ports of one test. */
    protected abstract PortsUnderTest start();

    @BeforeEach
    void startPorts() {
        ports = start();
        turns = new Turns(ports);
        loop = ports.host().newLoop("storage", LoopKind.STORAGE);
        disk = ports.host().disk(ports.diskRoot());
    }

    @AfterEach
    void closePorts() {
        ports.close();
    }

    private void onLoop(Runnable action) {
        turns.run(loop, action);
    }

    private DiskFile newFile(String path) {
        return disk.open(path, OpenMode.CREATE_NEW);
    }

    private static List<Integer> firstBytes(DiskFile file, int count) {
        ByteBuffer target = ByteBuffer.allocate(count + 1);
        assertThat(file.read(0, target)).isEqualTo(count);
        return IntStream.range(0, count).mapToObj(i -> (int) target.get(i)).toList();
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(values.length);
        for (int value : values) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    /** {@code blocks} blocks of {@code value}, aligned in memory. */
    private ByteBuffer blocks(int blocks, int value) {
        int block = disk.blockBytes();
        ByteBuffer buffer = ByteBuffer.allocateDirect((blocks + 1) * block)
                .alignedSlice(block)
                .limit(blocks * block);
        while (buffer.hasRemaining()) {
            buffer.put((byte) value);
        }
        return buffer.flip();
    }

    private DiskFile durableFile(String path) {
        newFile(path).close();
        return disk.open(path, OpenMode.READ_WRITE_DURABLE);
    }

    @Test
    void durableFileTakesWholeBlocks() {
        onLoop(() -> {
            int block = disk.blockBytes();
            try (DiskFile file = durableFile("journal")) {
                file.write(0, blocks(3, 1));
                file.write(block, blocks(1, 2));
                ByteBuffer target = blocks(4, 0);

                assertThat(file.read(0, target)).isEqualTo(3 * block);

                assertThat(file.size()).isEqualTo(3L * block);
                assertThat(target.get(0)).isEqualTo((byte) 1);
                assertThat(target.get(block)).isEqualTo((byte) 2);
                assertThat(target.get(3 * block - 1)).isEqualTo((byte) 1);
                assertThat(file.read(3L * block, blocks(1, 0))).isZero();
            }
        });
    }

    @Test
    void durableFileRefusesWhatIsNotAligned() {
        onLoop(() -> {
            int block = disk.blockBytes();
            try (DiskFile file = durableFile("journal")) {
                ByteBuffer cut = blocks(1, 1).limit(block - 1);
                CommitHandler silent = recording("commit");

                assertThatThrownBy(() -> file.write(1, blocks(1, 1))).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.write(0, cut)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.commit(1, blocks(1, 1), loop, silent))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(file.size()).isZero();
            }
        });
        turns.settle(loop);
        assertThat(events).isEmpty();
    }

    private CommitHandler recording(String name) {
        return new CommitHandler() {
            @Override
            public void committed() {
                events.add(loop.isInLoop() ? name : name + " on another thread");
            }

            @Override
            public void failed(DiskException failure) {
                events.add(name + " failed " + failure.kind());
            }
        };
    }

    @Test
    void commitsCompleteOnceOnTheLoopInTheOrderOfTheCalls() {
        DiskFile file = turns.on(loop, () -> durableFile("journal"));
        onLoop(() -> {
            for (int i = 0; i < 5; i++) {
                file.commit((long) i * disk.blockBytes(), blocks(1, i), loop, recording("commit " + i));
            }
        });
        ports.runUntil(() -> events.size() >= 5);
        turns.settle(loop);

        assertThat(events).containsExactly("commit 0", "commit 1", "commit 2", "commit 3", "commit 4");
        onLoop(() -> {
            ByteBuffer target = blocks(5, 0);
            assertThat(file.read(0, target)).isEqualTo(5 * disk.blockBytes());
            assertThat(target.get(4 * disk.blockBytes())).isEqualTo((byte) 4);
            file.close();
        });
    }

    @Test
    void commitAlsoWorksOnAnOrdinaryFile() {
        DiskFile file = turns.on(loop, () -> newFile("a"));
        onLoop(() -> file.commit(0, bytes(1, 2, 3), loop, recording("commit")));
        ports.runUntil(() -> !events.isEmpty());

        assertThat(events).containsExactly("commit");
        assertThat(turns.on(loop, () -> firstBytes(file, 3))).containsExactly(1, 2, 3);
    }

    @Test
    void commitWorksOnANetworkLoop() {
        EventLoop core = ports.host().newLoop("core", LoopKind.NETWORK);
        DiskFile file = turns.on(core, () -> durableFile("journal"));
        turns.run(
                core,
                () -> file.commit(0, blocks(1, 1), core, new CommitHandler() {
                    @Override
                    public void committed() {
                        events.add("in loop " + core.isInLoop());
                    }

                    @Override
                    public void failed(DiskException failure) {
                        events.add("failed");
                    }
                }));
        ports.runUntil(() -> !events.isEmpty());

        assertThat(events).containsExactly("in loop true");
    }

    @Test
    void commitToAFileThatCannotBeWrittenFails() {
        DiskFile file = turns.on(loop, () -> {
            newFile("a").close();
            return disk.open("a", OpenMode.READ_ONLY);
        });
        onLoop(() -> file.commit(0, bytes(1), loop, recording("commit")));
        ports.runUntil(() -> !events.isEmpty());
        turns.settle(loop);

        assertThat(events).containsExactly("commit failed IO");
    }
}
