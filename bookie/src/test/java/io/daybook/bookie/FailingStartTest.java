// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.ledgers.Defects;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.events.SimulatedLoop;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A start in which something fails that should not: it ends, says with what, and leaves nothing behind. */
final class FailingStartTest {
    private static final int CAPACITY = 1024 * 1024;

    /** So many that each journal has some. */
    private static final int LEDGERS = 12;

    private final SimulatedBookie one = new SimulatedBookie(7);
    private final List<EventLoop> loops = new ArrayList<>();
    private final List<DiskFile> openRings = new ArrayList<>();
    private int loopsMax = Integer.MAX_VALUE;

    /** What becomes of what is asked of disks; and of files of journals, locks and listeners. */
    private Outcome disks = (method, arguments, result) -> result;

    private Outcome things = (method, arguments, result) -> result;

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

    private final class WatchedHost implements Host.Forwarding {
        private final Host host;
        private final Faults faults;

        private WatchedHost(Host host, Faults faults) {
            this.host = host;
            this.faults = faults;
        }

        @Override
        public Host host() {
            return host;
        }

        @Override
        public EventLoop newLoop(String name, LoopKind kind) {
            if (loops.size() == loopsMax) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            EventLoop loop = host.newLoop(name, kind);
            loops.add(loop);
            return loop;
        }

        @Override
        public Network network() {
            return overridden(
                    Network.class,
                    host.network(),
                    (method, arguments, result) -> method.equals("listen")
                            ? ((CompletableFuture<?>) result).thenApply(bound -> watched((Network.Listener) bound))
                            : result);
        }

        @Override
        public Disk disk(String rootPath) {
            Disk disk = host.disk(rootPath);
            return overridden(Disk.class, disk, (method, arguments, result) -> {
                Object seen = disks.of(method, arguments, result);
                if (isRing(method, arguments)) {
                    return watchedRing((DiskFile) seen);
                }
                return method.equals("lock") ? watched((Disk.DirectoryLock) seen) : seen;
            });
        }

        private DiskFile watchedRing(DiskFile file) {
            openRings.add(file);
            return overridden(DiskFile.class, file, (method, arguments, result) -> {
                if (method.equals("close")) {
                    openRings.remove(file);
                }
                return things.of(method, arguments, result);
            });
        }

        private Disk.DirectoryLock watched(Disk.DirectoryLock lock) {
            return overridden(
                    Disk.DirectoryLock.class,
                    lock,
                    (method, arguments, result) -> things.of(method, arguments, result));
        }

        private Network.Listener watched(Network.Listener listener) {
            return overridden(
                    Network.Listener.class,
                    listener,
                    (method, arguments, result) -> things.of(method, arguments, result));
        }

        @Override
        public Faults faults() {
            return faults;
        }
    }

    /** What becomes of the result of a call. */
    @FunctionalInterface
    private interface Outcome {
        Object of(String method, Object[] arguments, Object result);
    }

    private static boolean isRing(String method, Object[] arguments) {
        return method.equals("open")
                && arguments[1] == Disk.OpenMode.READ_WRITE_DURABLE
                && String.valueOf(arguments[0]).endsWith(".ring");
    }

    private static Object refuseClose(String method, Object[] arguments, Object result) {
        if (method.equals("close")) {
            throw new DiskException(DiskException.Kind.IO, "it cannot be closed", null);
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

    // B8: wherever the memory ends, between the log of a journal's file and the last copy of the marks.
    @ParameterizedTest
    @MethodSource("stepsOfTheMarks")
    void aRecoveryThatFindsNoMemoryOnceLogsAreWrittenIsMadeAgainAndMovesNothingTwice(int step) {
        one.start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int ledger = 6; ledger < 6 + LEDGERS; ledger++) {
            assertThat(writer.addAndWait(ledger, 0, textOf(ledger))).isEqualTo(StatusCode.OK);
        }
        one.crash(CrashMode.LOSE_ALL);
        int logs = logs().size();
        AtomicInteger left = new AtomicInteger();
        disks = (method, arguments, result) -> {
            boolean isLog = method.equals("open") && EntryLogFormat.logId(String.valueOf(arguments[0])) > 0;
            if (isLog && left.get() == 0) {
                left.set(step);
            }
            boolean isMark = (method.equals("open") || method.equals("rename"))
                    && String.valueOf(arguments[0]).startsWith("checkpoint");
            if (isMark && left.get() > 0 && left.decrementAndGet() == 0) {
                left.set(-1);
                throw new OutOfMemoryError("no direct memory");
            }
            return result;
        };

        CompletableFuture<Bookie> starting = start(point -> {});

        assertThat(starting).isCompleted();
        assertThat(left).as("steps left").hasValue(-1);
        assertThat(logs()).as("one more of each journal").hasSize(logs + 2);
        TestClient reader = one.client(LinkKind.OTHER);
        for (int ledger = 6; ledger < 6 + LEDGERS; ledger++) {
            assertThat(reader.readAndWait(ledger, 0, 9, ReadRequest.FLAG_UNCONFIRMED)
                            .payloads())
                    .containsExactly(textOf(ledger));
            String text = textOf(ledger);
            assertThat(logs().stream().filter(log -> log.contains(text))).hasSize(1);
        }
        assertThat(reader.readOne(5, 0).payloads()).containsExactly("zero");
    }

    /** For each journal and then for all: three copies, each opened under another name and renamed. */
    static IntStream stepsOfTheMarks() {
        return IntStream.rangeClosed(1, 3 * 3 * 2);
    }

    private static String textOf(int ledger) {
        return "first of ledger " + ledger;
    }

    /** What is in the entry logs. */
    private List<String> logs() {
        List<String> logs = new ArrayList<>();
        one.stores();
        for (String name : one.machine.host().disk(SimulatedBookie.DATA).list("")) {
            if (EntryLogFormat.logId(name) > 0) {
                logs.add(new String(one.data().image().durableBytes(name), StandardCharsets.ISO_8859_1));
            }
        }
        return logs;
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
        CompletableFuture<Bookie> starting = startOnAFullDisk(new IllegalStateException("planted"));

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertNothingIsLeft();
    }

    @Test
    void whatCannotBeGivenBackKeepsNobodyFromTheAnswer() {
        things = FailingStartTest::refuseClose;
        CompletableFuture<Bookie> starting = start(this::failInTheBookie);

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertThat(openRings).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void whatABookieCannotGiveBackKeepsNobodyFromTheAnswer() {
        things = FailingStartTest::refuseClose;
        CompletableFuture<Bookie> starting = startOnAFullDisk(new IllegalStateException("planted"));

        StartTest.assertRefusal(starting, ExitCode.VIOLATION, "planted");
        assertThat(openRings).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void aBookieThatCannotStopInOrderEndsAllTheSame() {
        List<Throwable> bugs = new ArrayList<>();
        one.world.onFailure((loop, bug) -> bugs.add(bug));
        IllegalStateException planted = new IllegalStateException("planted");
        things = (method, arguments, result) -> {
            if (result instanceof CompletableFuture<?> && method.equals("close") && bugs.isEmpty()) {
                throw planted;
            }
            return result;
        };
        MemoryMetadataStores rival = new MemoryMetadataStores(one.metadata);
        rival.bookies()
                .register(
                        new BookieRegistration(
                                one.cookie().bookieId(), "b0", "elsewhere", 3181, false, one.config.rack(), 0),
                        BookieRegistry.Tokens.first(new WriteToken(1, 2)))
                .join();

        CompletableFuture<Bookie> starting = start(point -> {});

        StartTest.assertRefusal(starting, ExitCode.IN_USE, "were copied");
        assertThat(bugs).containsExactly(planted);
        rival.close();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void loopsThatCannotAllBeMadeEndTheStart(int made) {
        loopsMax = made;
        CompletableFuture<Bookie> starting = start(point -> {});

        StartTest.assertRefusal(starting, ExitCode.MEMORY, "unable to create native thread", "threads");
        assertThat(loops).hasSize(made);
        assertNothingIsLeft();
    }

    static List<Throwable> reasons() {
        return List.of(
                new OutOfMemoryError("planted"),
                new IllegalStateException("planted"),
                new DiskException(DiskException.Kind.IO, "planted", null));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void journalsThatCannotAllBeOpenedAreGivenBack(Throwable reason) {
        List<Object> opened = new ArrayList<>();
        disks = (method, arguments, result) -> {
            if (isRing(method, arguments)) {
                opened.add(result);
                if (opened.size() == 4) {
                    ((DiskFile) result).close();
                    FailingStartTest.<RuntimeException>raise(reason);
                }
            }
            return result;
        };

        CompletableFuture<Bookie> starting = start(point -> {});

        StartTest.assertRefusal(starting, codeOf(reason), "planted");
        assertThat(opened).hasSize(4);
        assertThat(openRings).isEmpty();
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void whatFailsOnceThereIsABookieIsToldAsBefore(Throwable reason) {
        StartTest.assertRefusal(startOnAFullDisk(reason), codeOf(reason), "planted");
        assertNothingIsLeft();
    }

    private static ExitCode codeOf(Throwable reason) {
        return reason instanceof DiskException
                ? ExitCode.DISK
                : reason instanceof OutOfMemoryError ? ExitCode.MEMORY : ExitCode.VIOLATION;
    }

    /** The reason is thrown in the bookie, before it listens. */
    private CompletableFuture<Bookie> startOnAFullDisk(Throwable reason) {
        BookieConfig before = one.config;
        one.config = before.withSpace(new SpaceConfig(CAPACITY / SimulatedBookie.SLAB_BYTES));
        one.data().quality(DiskQuality.SOLID_STATE.withCapacity(CAPACITY));
        CompletableFuture<Bookie> starting = start(situation -> {
            if (situation.equals(Bookie.DISK_FULL)) {
                FailingStartTest.<RuntimeException>raise(reason);
            }
        });
        one.config = before;
        return starting;
    }

    /** Throws whatever it is. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable reason) throws T {
        throw (T) reason;
    }

    private void failInTheBookie(String point) {
        if (point.equals(Defects.UNREADABLE_IS_ABSENT)) {
            throw new IllegalStateException("planted");
        }
    }
}
