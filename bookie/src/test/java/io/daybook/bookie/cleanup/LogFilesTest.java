// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.disk.DataDisks;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.entrylog.EntryLogWriter;
import io.daybook.bookie.index.IndexFile;
import io.daybook.bookie.index.IndexRows;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replaced logs are removed in the end, whatever refuses at first (S-15). */
final class LogFilesTest {
    private static final BookieId BOOKIE = new BookieId(1, 2);

    private final Disk sound = new SimulatedWorld(1).machine("bookie").start().disk("/data");
    private final TreeSet<String> refused = new TreeSet<>();
    private final LogFiles files = new LogFiles(new DataDisks(List.of(refusing())), BOOKIE);

    /** The disk, but calls whose method and path are named in {@link #refused} fail, as without the permission. */
    private Disk refusing() {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (arguments != null && refused.contains(method.getName() + " " + arguments[0])) {
                        throw new DiskException(
                                DiskException.Kind.IO, method.getName() + " of " + arguments[0] + ": denied", null);
                    }
                    try {
                        return method.invoke(sound, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @BeforeEach
    void twoLogs() {
        for (int logId = 3; logId <= 4; logId++) {
            try (EntryLogWriter log = EntryLogWriter.create(sound, logId, 0, BOOKIE, EntryLogWriter.newChunk(sound))) {
                log.finish();
            }
            new IndexRows(logId).write(sound, IndexFile.name(logId), 0);
        }
        sound.syncDirectory("");
    }

    @Test
    void whatCannotBeUnlinkedIsTriedAgain() {
        String stuck = EntryLogFormat.trashName(EntryLogFormat.name(3));
        refused.add("delete " + stuck);
        files.trash(List.of(3, 4), 100);

        files.emptyTrash(100);
        assertThat(sound.list("")).containsExactly(stuck);
        files.emptyTrash(200);
        assertThat(sound.list("")).containsExactly(stuck);
        refused.clear();
        files.emptyTrash(300);

        assertThat(sound.list("")).isEmpty();
    }

    @Test
    void whatCannotBeRenamedIsUnlinkedWithTheTrashUnderItsOwnName() {
        refused.add("rename " + IndexFile.name(4));
        files.trash(List.of(3, 4), 100);
        assertThat(sound.list("")).contains(IndexFile.name(4));

        files.emptyTrash(50);
        assertThat(sound.list("")).hasSize(4);
        files.emptyTrash(100);

        assertThat(sound.list("")).isEmpty();
    }

    @Test
    void trashOfAnEarlierLifeIsKeptForItsTimeToo() {
        sound.rename(EntryLogFormat.name(3), EntryLogFormat.trashName(EntryLogFormat.name(3)));
        files.findTrash(1_000);

        files.emptyTrash(999);
        assertThat(sound.list("")).hasSize(4);
        files.emptyTrash(1_000);

        assertThat(sound.list("")).hasSize(3);
    }

    // A round that ended with an error here would empty the trash again, and find the same error, for ever.
    @Test
    void trashOfADirectoryThatCannotBeMeasuredIsKeptForItsTime() {
        refused.add("usableBytes ");
        files.trash(List.of(3), 100);

        files.emptyTrashOfScarce(100, Long.MAX_VALUE);

        assertThat(sound.list("")).contains(EntryLogFormat.trashName(EntryLogFormat.name(3)));
        refused.clear();
        files.emptyTrashOfScarce(100, Long.MAX_VALUE);
        assertThat(sound.list("")).doesNotContain(EntryLogFormat.trashName(EntryLogFormat.name(3)));
    }

    // S-18: as above, with another directory that tells nothing of the file.
    @Test
    void whatNoDirectoryTellsOfIsTriedAgain() {
        Disk other = new SimulatedWorld(2).machine("bookie").start().disk("/data");
        LogFiles ofTwo = new LogFiles(new DataDisks(List.of(refusing(), other)), BOOKIE);
        refused.add("exists " + EntryLogFormat.name(3));
        ofTwo.trash(List.of(3, 4), 100);
        refused.clear();
        refused.add("exists " + IndexFile.name(3) + ".trash");

        ofTwo.emptyTrash(100);

        assertThat(sound.list("")).containsExactly(IndexFile.name(3) + ".trash");
        refused.clear();
        ofTwo.emptyTrash(200);
        assertThat(sound.list("")).isEmpty();
    }
}
