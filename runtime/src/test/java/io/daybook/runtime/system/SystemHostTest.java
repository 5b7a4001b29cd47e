// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network.Listener;
import io.daybook.runtime.settings.SettingsLoader;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loops, threads and the end of a real host. */
final class SystemHostTest {
    private final List<String> halts = new CopyOnWriteArrayList<>();
    private final SystemHost host = SystemHost.embedded(
            SettingsLoader.defaults(SystemConfig.class),
            SystemHost::logFailure,
            (code, reason) -> halts.add(code + " " + reason));

    @AfterEach
    void closeHost() {
        host.close();
    }

    private static boolean isAlive(String threadName) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(threadName) && thread.isAlive());
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void threadBearsTheNameOfItsLoopAndEndsWithIt(LoopKind kind) throws InterruptedException {
        String name = "test-loop-" + kind;
        EventLoop loop = host.newLoop(name, kind);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        loop.execute(() -> thread.complete(Thread.currentThread()));

        assertThat(thread.join().getName()).isEqualTo(name);
        assertThat(thread.join().isDaemon()).isFalse();
        host.close();
        // A thread may still be on its way out when its loop has ended.
        thread.join().join(10_000);

        assertThat(isAlive(name)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void hostCanBeClosedFromOneOfItsLoops(LoopKind kind) {
        EventLoop loop = host.newLoop("closer", kind);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();

        loop.execute(() -> {
            host.close();
            closed.complete(true);
        });

        assertThat(closed.join()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void taskThatQueuesItselfAgainDoesNotStarveTimers(LoopKind kind) {
        EventLoop loop = host.newLoop("busy", kind);
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Boolean> fired = new CompletableFuture<>();
        loop.execute(new Runnable() {
            @Override
            public void run() {
                if (!stopped.get()) {
                    loop.execute(this);
                }
            }
        });

        loop.schedule(1_000_000, () -> {
            stopped.set(true);
            fired.complete(true);
        });

        assertThat(fired.join()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void timerThatSetsItselfAgainDoesNotStarveTasks(LoopKind kind) {
        EventLoop loop = host.newLoop("busy", kind);
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        loop.schedule(0, new Runnable() {
            @Override
            public void run() {
                if (!stopped.get()) {
                    loop.schedule(0, this);
                }
            }
        });

        loop.execute(() -> {
            stopped.set(true);
            ran.complete(true);
        });

        assertThat(ran.join()).isTrue();
    }

    @Test
    void framesReceivedTogetherShareOneEndOfTurn() throws InterruptedException {
        EventLoop far = host.newLoop("far", LoopKind.NETWORK);
        EventLoop near = host.newLoop("near", LoopKind.NETWORK);
        AtomicInteger frames = new AtomicInteger();
        List<Integer> framesAtEnd = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> all = new CompletableFuture<>();
        Listener listener = host.network()
                .listen(far, new Endpoint("127.0.0.1", 0), remote -> new Quiet() {
                    @Override
                    public void frame(Link link, ByteBuf frame) {
                        frame.release();
                        if (frames.incrementAndGet() == 1) {
                            far.atEndOfTurn(() -> framesAtEnd.add(frames.get()));
                        }
                        if (frames.get() == 200) {
                            all.complete(true);
                        }
                    }
                })
                .join();
        CompletableFuture<Link> link = new CompletableFuture<>();
        host.network().connect(near, listener.endpoint(), 10_000_000_000L, new Quiet() {
            @Override
            public void opened(Link opened) {
                link.complete(opened);
            }
        });
        Link open = link.join();
        CompletableFuture<Boolean> mayGoOn = new CompletableFuture<>();
        far.execute(mayGoOn::join);

        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        near.execute(() -> {
            for (int i = 0; i < 200; i++) {
                open.send(open.allocate(100).writeZero(100));
            }
            near.atEndOfTurn(() -> sent.complete(open.pendingBytes() == 0));
        });
        assertThat(sent.join()).isTrue();
        mayGoOn.complete(true);
        all.join();
        CompletableFuture<Boolean> turnEnded = new CompletableFuture<>();
        far.execute(() -> far.atEndOfTurn(() -> turnEnded.complete(true)));
        turnEnded.join();

        assertThat(framesAtEnd).containsExactly(200);
    }

    /** A handler that ignores everything. */
    private abstract static class Quiet implements LinkHandler {
        @Override
        public void opened(Link link) {}

        @Override
        public void frame(Link link, ByteBuf frame) {
            frame.release();
        }

        @Override
        public void closed(String reason) {}
    }

    @Test
    void storageLoopCarriesNoLinks() {
        EventLoop storage = host.newLoop("storage", LoopKind.STORAGE);

        assertThatThrownBy(() -> host.network().listen(storage, new Endpoint("127.0.0.1", 0), remote -> new Quiet() {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("storage");
    }

    @Test
    void haltRunsTheActionOfTheOwner() {
        host.halt(23, "sync of journal failed");

        assertThat(halts).containsExactly("23 sync of journal failed");
    }

    @Test
    void productionPlantsNoFault() {
        assertThat(host.faults()).isSameAs(Faults.NONE);
        assertThat(host.faults().at("D1-fence-gap")).isFalse();
    }
}
