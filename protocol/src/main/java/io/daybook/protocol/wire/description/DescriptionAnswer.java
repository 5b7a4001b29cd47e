// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.description;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.WireBytes;
import io.daybook.protocol.wire.generated.DescribedDirectoryTable;
import io.daybook.protocol.wire.generated.DescribedJournalTable;
import io.daybook.protocol.wire.generated.DescriptionTable;
import io.daybook.protocol.wire.tables.WireShapes;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Answer to a {@link DescribeRequest}: {@link MessageType#DESCRIPTION}. A prefix and a table. Texts are cut to 1,024 characters. */
public record DescriptionAnswer(long requestId, BookieDescription description) {
    /** Bytes of the table: as many as the longest texts in the longest lists need. */
    private static final int TABLE_BYTES_MAX = 1024 * 1024;

    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1024);
        int version = text(builder, description.version());
        int because =
                DescriptionTable.createReadOnlyBecauseVector(builder, texts(builder, description.readOnlyBecause()));
        int problems = DescriptionTable.createProblemsVector(builder, texts(builder, description.problems()));
        int directories = DescriptionTable.createDirectoriesVector(
                builder,
                description.directories().stream()
                        .mapToInt(directory -> directory(builder, directory))
                        .toArray());
        int journals = DescriptionTable.createJournalsVector(
                builder,
                description.journals().stream()
                        .mapToInt(journal -> DescribedJournalTable.createDescribedJournalTable(
                                builder, journal.files(), journal.freeFiles(), journal.replayBytes()))
                        .toArray());
        int state = text(builder, description.cleanup().state());
        int failure = text(builder, description.cleanup().failure());
        DescriptionTable.startDescriptionTable(builder);
        DescriptionTable.addRequestId(builder, requestId);
        DescriptionTable.addVersion(builder, version);
        DescriptionTable.addStartedMillis(builder, description.startedMillis());
        DescriptionTable.addReadOnlyBecause(builder, because);
        DescriptionTable.addProblems(builder, problems);
        DescriptionTable.addDirectories(builder, directories);
        DescriptionTable.addJournals(builder, journals);
        addStored(builder);
        addWork(builder);
        DescriptionTable.addCleanupState(builder, state);
        DescriptionTable.addCleanupFailure(builder, failure);
        builder.finish(DescriptionTable.endDescriptionTable(builder), WireShapes.DESCRIPTION.identifier());
        WireBytes.writeTable(out, MessageType.DESCRIPTION, builder);
    }

    private static int text(FlatBufferBuilder builder, String text) {
        return builder.createString(WireBytes.cut(text));
    }

    private static int[] texts(FlatBufferBuilder builder, List<String> texts) {
        return texts.stream().mapToInt(text -> text(builder, text)).toArray();
    }

    private static int directory(FlatBufferBuilder builder, BookieDescription.Directory directory) {
        int role = text(builder, directory.role());
        int path = text(builder, directory.path());
        int state = text(builder, directory.state());
        return DescribedDirectoryTable.createDescribedDirectoryTable(
                builder, role, path, state, directory.usableBytes(), directory.totalBytes());
    }

    private void addStored(FlatBufferBuilder builder) {
        DescriptionTable.addLogs(builder, description.logs().count());
        DescriptionTable.addLogBytes(builder, description.logs().bytes());
        DescriptionTable.addLiveBytes(builder, description.logs().liveBytes());
        DescriptionTable.addLiveEntries(builder, description.logs().liveEntries());
        DescriptionTable.addLedgers(builder, description.ledgers().count());
        DescriptionTable.addLedgersInLimbo(builder, description.ledgers().inLimbo());
        DescriptionTable.addLedgersGivenUp(builder, description.ledgers().givenUp());
        DescriptionTable.addIndexBytes(builder, description.index().bytes());
        DescriptionTable.addIndexBytesMax(builder, description.index().bytesMax());
        DescriptionTable.addIndexColdPages(builder, description.index().coldPages());
    }

    private void addWork(FlatBufferBuilder builder) {
        BookieDescription.Cleanup cleanup = description.cleanup();
        DescriptionTable.addDamages(builder, description.scrub().damages());
        DescriptionTable.addScrubRounds(builder, description.scrub().rounds());
        DescriptionTable.addScrubEndedMillis(builder, description.scrub().endedMillis());
        DescriptionTable.addCleanupRounds(builder, cleanup.rounds());
        DescriptionTable.addCleanupLedgersGivenUp(builder, cleanup.ledgersGivenUp());
        DescriptionTable.addCleanupLedgersWaiting(builder, cleanup.ledgersWaiting());
        DescriptionTable.addCleanupLogsRemoved(builder, cleanup.logsRemoved());
        DescriptionTable.addCleanupBytesCopied(builder, cleanup.bytesCopied());
        DescriptionTable.addCleanupLogsKept(builder, cleanup.logsKept());
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static DescriptionAnswer read(ByteBuf frame) {
        DescriptionTable table = DescriptionTable.getRootAsDescriptionTable(
                WireBytes.readTable(frame, MessageType.DESCRIPTION, WireShapes.DESCRIPTION, TABLE_BYTES_MAX));
        return new DescriptionAnswer(
                table.requestId(),
                new BookieDescription(
                        WireBytes.cut(table.version()),
                        table.startedMillis(),
                        list(table.readOnlyBecauseLength(), i -> WireBytes.cut(table.readOnlyBecause(i))),
                        list(table.problemsLength(), i -> WireBytes.cut(table.problems(i))),
                        list(table.directoriesLength(), i -> directory(table.directories(i))),
                        list(table.journalsLength(), i -> journal(table.journals(i))),
                        new BookieDescription.Logs(
                                table.logs(), table.logBytes(), table.liveBytes(), table.liveEntries()),
                        new BookieDescription.Ledgers(table.ledgers(), table.ledgersInLimbo(), table.ledgersGivenUp()),
                        new BookieDescription.Index(table.indexBytes(), table.indexBytesMax(), table.indexColdPages()),
                        new BookieDescription.Scrub(table.damages(), table.scrubRounds(), table.scrubEndedMillis()),
                        cleanup(table)));
    }

    private static <T> List<T> list(int count, IntFunction<T> item) {
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(item.apply(i));
        }
        return list;
    }

    private static BookieDescription.Directory directory(DescribedDirectoryTable table) {
        return new BookieDescription.Directory(
                WireBytes.cut(table.role()),
                WireBytes.cut(table.path()),
                WireBytes.cut(table.state()),
                table.usableBytes(),
                table.totalBytes());
    }

    private static BookieDescription.Journal journal(DescribedJournalTable table) {
        return new BookieDescription.Journal(table.files(), table.freeFiles(), table.replayBytes());
    }

    private static BookieDescription.Cleanup cleanup(DescriptionTable table) {
        return new BookieDescription.Cleanup(
                table.cleanupRounds(),
                WireBytes.cut(table.cleanupState()),
                table.cleanupLedgersGivenUp(),
                table.cleanupLedgersWaiting(),
                table.cleanupLogsRemoved(),
                table.cleanupBytesCopied(),
                table.cleanupLogsKept(),
                WireBytes.cut(table.cleanupFailure()));
    }
}
