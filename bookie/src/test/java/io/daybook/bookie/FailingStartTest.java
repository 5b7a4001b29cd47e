// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.ledgers.Defects;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A start in which something fails that should not: it ends, says with what, and leaves nothing behind. */
final class FailingStartTest {
    private static final int CAPACITY = 1024 * 1024;

    private final SimulatedBookie one = new SimulatedBookie(7);
    private final List<EventLoop> loops = new ArrayList<>();
    private boolean filesCannotBeClosed;

    @BeforeEach
    void crashWithAnEntryInTheJournal() {
        one.config = one.config.withDirectories(List.of("/journal", "/journal-b"), List.of("/data"));
        one.format().start();
        one.client(LinkKind.APPEND).addAndWait(5, 0, "zero");
        one.crash(CrashMode.LOSE_ALL);
    }

    /** Whatever is asked or reached at a point of the code is told to {@code asked} first, which may throw. */
    private CompletableFuture<Bookie> start(Consumer<String> asked) {
        one.stores();
        loops.clear();
        Faults faults = new Faults() {
            @Override
            public boolean at(String point) {
                asked.accept(point);
                return false;
            }

            @Override
            public void reached(String situation) {
                asked.accept(situation);
            }
        };
        CompletableFuture<Bookie> starting =
                Bookie.start(one.config, new WatchedHost(one.machine.host(), faults), one.stores());
        one.until(starting::isDone);
        return starting;
    }

    private final class WatchedHost implements Host {
        private final Host host;
        private final Faults faults;

        private WatchedHost(Host host, Faults faults) {
            this.host = host;
            this.faults = faults;
        }

        @Override
        public EventLoop newLoop(String name, LoopKind kind) {
            EventLoop loop = host.newLoop(name, kind);
            loops.add(loop);
            return loop;
        }

        @Override
        public Network network() {
            return host.network();
        }

        @Override
        public Disk disk(String rootPath) {
            Disk disk = host.disk(rootPath);
            return overridden(Disk.class, disk, (method, arguments, result) -> {
                boolean refuses = filesCannotBeClosed
                        && method.equals("open")
                        && arguments[1] == Disk.OpenMode.READ_WRITE_DURABLE
                        && String.valueOf(arguments[0]).endsWith(".ring");
                return refuses ? overridden(DiskFile.class, (DiskFile) result, FailingStartTest::refuseClose) : result;
            });
        }

        @Override
        public RandomSource random() {
            return host.random();
        }

        @Override
        public Faults faults() {
            return faults;
        }

        @Override
        public void halt(int exitCode, String reason) {
            host.halt(exitCode, reason);
        }
    }

    /** What becomes of the result of a call. */
    @FunctionalInterface
    private interface Outcome {
        Object of(String method, Object[] arguments, Object result);
    }

    private static Object refuseClose(String method, Object[] arguments, Object result) {
        if (method.equals("close")) {
            throw new DiskException(DiskException.Kind.IO, "the file cannot be closed", null);
        }
        return result;
    }

    private static <T> T overridden(Class<T> type, T original, Outcome outcome) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    try {
                        return outcome.of(method.getName(), arguments, method.invoke(original, arguments));
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    private void assertNothingIsLeft() {
        one.until(() -> loops.stream().allMatch(loop -> ((SimulatedLoop) loop).isClosed()));
        one.endSession().start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
    }

    @Test
    void aRecoveryThatFindsNoMemoryBesideTheSlabsIsMadeAgainBeforeThem() {
        List<String> replays = new ArrayList<>();

        CompletableFuture<Bookie> starting = start(point -> {
            if (point.equals(JournalReplay.UNCHECKED_RECORDS)) {
                replays.add(point);
                if (replays.size() == 1) {
                    throw new OutOfMemoryError("no direct memory");
                }
            }
        });

        assertThat(starting).isCompleted();
        assertThat(replays).as("one failed, one of each journal").hasSize(3);
        assertThat(one.client(LinkKind.OTHER).readOne(5, 0).payloads()).containsExactly("zero");
        assertThat(one.client(LinkKind.APPEND).addAndWait(5, 1, "one")).isEqualTo(StatusCode.OK);
    }

    @Test
    void aRecoveryThatFindsNoMemoryEvenAloneEndsTheStartWithTheSettingsThatHelp() {
        CompletableFuture<Bookie> starting = start(point -> {
            if (point.equals(JournalReplay.UNCHECKED_RECORDS)) {
                throw new OutOfMemoryError("no direct memory");
            }
        });

        StartTest.assertRefusal(
                starting,
                ExitCode.MEMORY,
                "no direct memory",
                "-XX:MaxDirectMemorySize",
                "-Xmx",
                "bookie.slab-bytes",
                "bookie.index.memory-max");
        assertNothingIsLeft();
    }

    @Test
    void aBookieThatCannotBeMadeLeavesNothing() {
        CompletableFuture<Bookie> starting = start(this::failInTheBookie);

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertNothingIsLeft();
    }

    @Test
    void aBookieThatFailsBeforeItListensLeavesNothing() {
        BookieConfig before = one.config;
        one.config = before.withSpace(new SpaceConfig(CAPACITY / SimulatedBookie.SLAB_BYTES));
        one.data().quality(DiskQuality.SOLID_STATE.withCapacity(CAPACITY));
        CompletableFuture<Bookie> starting = start(situation -> {
            if (situation.equals(Bookie.DISK_FULL)) {
                throw new IllegalStateException("planted");
            }
        });
        one.config = before;

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertNothingIsLeft();
    }

    @Test
    void whatCannotBeGivenBackKeepsNobodyFromTheAnswer() {
        filesCannotBeClosed = true;
        CompletableFuture<Bookie> starting = start(this::failInTheBookie);
        filesCannotBeClosed = false;

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertNothingIsLeft();
    }

    private void failInTheBookie(String point) {
        if (point.equals(Defects.UNREADABLE_IS_ABSENT)) {
            throw new IllegalStateException("planted");
        }
    }
}
