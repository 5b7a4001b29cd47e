// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.index.IndexConfig;
import io.daybook.bookie.index.pages.PageFile;
import io.daybook.metadata.MetadataStores;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskFaults;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A bookie whose index does not fit into its memory. */
final class ColdIndexTest {
    private static final int ENTRIES = 400;

    private final CleanupScene scene = new CleanupScene(2);

    /** A ledger with one entry in a run, so that it has many, most of which are cold. */
    private void manyRuns() {
        scene.start();
        scene.createLedgers(1, 2);
        TestClient writer = scene.one.client(LinkKind.APPEND);
        // Every second entry id is missing.
        for (int i = 0; i < ENTRIES; i++) {
            writer.add(1, 2L * i, CleanupScene.payload(1, 2L * i));
            writer.add(2, i, CleanupScene.payload(2, i) + "-".repeat(300));
        }
        scene.one.until(() -> writer.acknowledged() == 2 * ENTRIES);
        scene.recycleTheJournal();
        assertThat(scene.data().exists(PageFile.NAME)).isTrue();
    }

    private List<StatusCode> readAll() {
        TestClient reader = scene.client();
        List<StatusCode> told = new ArrayList<>();
        for (long entryId = 0; entryId < 2 * ENTRIES; entryId++) {
            TestClient.Answered answer = reader.readOne(1, entryId);
            StatusCode status = answer.header().status();
            boolean isThere = entryId % 2 == 0;
            told.add(status);
            if (isThere && status == StatusCode.OK) {
                assertThat(answer.payloads()).containsExactly(CleanupScene.payload(1, entryId));
            } else if (status != StatusCode.UNKNOWN_STATE) {
                assertThat(status).as("entry %d", entryId).isEqualTo(StatusCode.NO_ENTRY);
                assertThat(isThere).as("entry %d", entryId).isFalse();
            }
        }
        reader.close();
        return told;
    }

    // B6
    @Test
    void whatIsColdIsFoundAndWhatIsNotThereIsAbsent() {
        manyRuns();

        assertThat(readAll()).containsOnly(StatusCode.OK, StatusCode.NO_ENTRY);

        scene.one.crash(CrashMode.ANY_SUBSET).start();
        assertThat(readAll()).containsOnly(StatusCode.OK, StatusCode.NO_ENTRY);
    }

    // S-02, B5, B6
    @Test
    void aRottenPageOfTheIndexMakesItsEntriesUnknownUntilTheNextStart() {
        manyRuns();
        try (DiskFile file = scene.data().open(PageFile.NAME, Disk.OpenMode.READ_WRITE)) {
            for (long at = 40; at < file.size(); at += 500) {
                file.write(at, ByteBuffer.wrap(new byte[] {0x5a}));
            }
        }

        assertThat(readAll()).contains(StatusCode.UNKNOWN_STATE);

        scene.one.close();
        scene.one.endSession().start();
        assertThat(readAll()).containsOnly(StatusCode.OK, StatusCode.NO_ENTRY);
    }

    // P-72: the force comes while the index is read.
    @Test
    void aDeferredAddThatWaitsForAColdIndexIsAcknowledgedAlthoughTheForceCameBefore() {
        manyRuns();
        TestClient writer = scene.one.client(LinkKind.APPEND);

        writer.addDeferred(1, 5, "late");
        writer.force(1);
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(writer.acknowledged()).isEqualTo(1);
    }

    // B4: what cannot be compared is not taken from a writer.
    @Test
    void aRepeatedAddOfWhatARottenPageHeldIsUnknownToAWriterAndTakenFromRecovery() {
        manyRuns();
        try (DiskFile file = scene.data().open(PageFile.NAME, Disk.OpenMode.READ_WRITE)) {
            for (long at = 40; at < file.size(); at += 100) {
                file.write(at, ByteBuffer.wrap(new byte[] {0x5a}));
            }
        }
        List<StatusCode> told = readAll();
        int lost = 2 * (told.size() / 4);
        assertThat(told.get(lost)).isEqualTo(StatusCode.UNKNOWN_STATE);
        TestClient writer = scene.one.client(LinkKind.APPEND);

        assertThat(writer.addAndWait(1, lost, "other")).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(scene.client().addRecoveredAndWait(1, lost, CleanupScene.payload(1, lost)))
                .isEqualTo(StatusCode.OK);
        assertThat(scene.client().readOne(1, lost).payloads()).containsExactly(CleanupScene.payload(1, lost));
    }

    @Test
    void aDeviceThatDoesNotAnswerMakesAReadUnknownAndNotTheNextOne() {
        manyRuns();
        scene.one.data().faults().failAlways(DiskFaults.Call.READ, PageFile.NAME);
        assertThat(readAll()).contains(StatusCode.UNKNOWN_STATE);

        scene.one.data().faults().heal();

        assertThat(readAll()).containsOnly(StatusCode.OK, StatusCode.NO_ENTRY);
    }

    // B4: a repeated add of an entry whose index is cold.
    @Test
    void aRepeatedAddIsComparedWithWhatIsColdAndAMissingOneIsTaken() {
        manyRuns();
        TestClient writer = scene.one.client(LinkKind.APPEND);

        assertThat(writer.addAndWait(1, 4, CleanupScene.payload(1, 4))).isEqualTo(StatusCode.OK);
        assertThat(writer.addAndWait(1, 4, "other")).isEqualTo(StatusCode.CONFLICT);
        assertThat(writer.addAndWait(1, 5, "late")).isEqualTo(StatusCode.OK);
        scene.recycleTheJournal();

        assertThat(scene.client().readOne(1, 5).payloads()).containsExactly("late");
        assertThat(scene.client().readOne(1, 6).payloads()).containsExactly(CleanupScene.payload(1, 6));
    }

    @Test
    void theSpaceOfALedgerWhoseIndexIsColdComesBack() {
        manyRuns();
        long before = scene.bytesOfLogs();

        scene.delete(1);
        scene.majorRound();

        assertThat(scene.bytesOnDataDisk("ledger 1 entry")).isZero();
        assertThat(scene.bytesOfLogs()).isLessThan(before);
        TestClient reader = scene.client();
        for (int entryId = 0; entryId < ENTRIES; entryId++) {
            assertThat(reader.readOne(2, entryId).payloads())
                    .containsExactly(CleanupScene.payload(2, entryId) + "-".repeat(300));
        }
    }

    // S-18, B14: a full bookie gets its space back in the round that gives the ledger up.
    @Test
    void aRoundWaitsUntilALedgerWhoseIndexIsColdIsGivenUp() {
        manyRuns();
        scene.metadata().delete(1).join();
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        scene.one.data().faults().failOnce(DiskFaults.Call.READ, PageFile.NAME);

        scene.majorRound();

        assertThat(scene.bytesOnDataDisk("ledger 1 entry")).isZero();
    }

    // 0020: a minute once, not a minute for each of many pages.
    @Test
    void aDeviceThatIsAwayHoldsUpTheBurialOfALargeLedgerOnceAndNotForEachPage() {
        manyRuns();
        scene.metadata().delete(1).join();
        scene.round();
        scene.one.world.runFor(CleanupScene.GRACE_NANOS);
        scene.one.data().faults().failAlways(DiskFaults.Call.READ, PageFile.NAME);
        EventLoop clock = scene.one.clientHost.newLoop("clock", Host.LoopKind.STORAGE);
        long begun = clock.nanoTime();

        scene.majorRound();

        assertThat(clock.nanoTime() - begun).isBetween(TimeUnit.SECONDS.toNanos(50), TimeUnit.SECONDS.toNanos(100));
        scene.one.data().faults().heal();
        assertThat(scene.client().readOne(1, 0).entries()).isEmpty();
        scene.one.close();
        scene.one.endSession().start();
        scene.majorRound();
        assertThat(scene.bytesOnDataDisk("ledger 1 entry")).isZero();
    }

    // 0020
    @Test
    void aStartThatFailsAfterRecoveryLeavesNoPagesOfTheIndexBehind() {
        manyRuns();
        scene.one.crash(CrashMode.ANY_SUBSET);
        MetadataStores stores = scene.one.stores();
        List<Boolean> hadPages = new ArrayList<>();
        Host host = refusingDurableFiles(
                scene.one.machine.host(), () -> hadPages.add(scene.data().exists(PageFile.NAME)));

        CompletableFuture<Bookie> starting = Bookie.start(scene.one.config, host, stores);
        scene.one.until(starting::isDone);

        assertThat(starting).isCompletedExceptionally();
        assertThat(hadPages).containsExactly(true);
        assertThat(scene.data().exists(PageFile.NAME)).isFalse();
        scene.one.start();
        assertThat(readAll()).containsOnly(StatusCode.OK, StatusCode.NO_ENTRY);
    }

    /** On which no file of a journal can be opened for commits. */
    private static Host refusingDurableFiles(Host host, Runnable before) {
        return proxy(Host.class, (method, arguments) -> {
            Object result = method.invoke(host, arguments);
            if (!method.getName().equals("disk")) {
                return result;
            }
            return proxy(Disk.class, (call, given) -> {
                boolean isRing = given != null
                        && given.length == 2
                        && given[1] == Disk.OpenMode.READ_WRITE_DURABLE
                        && String.valueOf(given[0]).endsWith(".ring");
                if (isRing) {
                    before.run();
                    throw new DiskException(DiskException.Kind.IO, "open of " + given[0] + ": no rights", null);
                }
                return call.invoke(result, given);
            });
        });
    }

    /** What a call of a proxy does. */
    @FunctionalInterface
    private interface Call {
        Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return call.of(method, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    @Test
    void aBookieWhoseIndexCannotFitTakesNoNewEntriesUntilItIsGivenMoreMemory() {
        scene.start();
        TestClient writer = scene.one.client(LinkKind.APPEND);
        int ledgers = 8_000;
        for (int ledgerId = 10; ledgerId < 10 + ledgers; ledgerId++) {
            writer.add(ledgerId, 0, "only");
        }
        scene.one.world.runFor(TimeUnit.SECONDS.toNanos(5));

        assertThat(writer.addAndWait(9, 0, "new")).isEqualTo(StatusCode.READ_ONLY);
        assertThat(scene.client().readOne(10, 0).payloads()).containsExactly("only");
        assertThat(scene.client().addRecoveredAndWait(10, 1, "copy")).isEqualTo(StatusCode.OK);

        scene.one.config = scene.one.config.withIndex(IndexConfig.defaults().withMemoryMax(16 * 1024 * 1024));
        scene.one.close();
        scene.one.endSession().start();
        assertThat(scene.one.client(LinkKind.APPEND).addAndWait(9, 0, "new")).isEqualTo(StatusCode.OK);
    }
}
