// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.protocol.EntryLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie inspect-journal}. */
@Command(
        name = "inspect-journal",
        description = {
            "Lists the records of a bookie's journals that are not moved into entry logs yet: what its next start replays.",
            "Nothing is listed after the bookie was stopped in order. The bookie must not run."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed otherwise",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "14:the journal is damaged",
            "15:a directory cannot be read"
        })
final class BookieInspectJournal implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    BookieInspectJournal(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return directories.run(this::inspect);
    }

    private int inspect(OfflineBookie bookie) throws Exception {
        for (OfflineBookie.JournalMark mark : bookie.journalMarks()) {
            invocation
                    .terminal()
                    .message("daybook: " + mark.directory() + ": " + mark.ringFiles()
                            + " files; a start replays from incarnation " + mark.incarnation() + ", record "
                            + mark.sequence());
        }
        Rows rows = new Rows();
        bookie.replay(rows);
        Output output = invocation.output();
        output.table(rows.records);
        output.flush();
        return ExitCodes.DONE;
    }

    /** Makes a row of each record. */
    private static final class Rows implements ReplayTarget {
        private final List<Fields> records = new ArrayList<>();
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private long incarnation;

        @Override
        public void fileBegins(int fileIncarnation, ByteBuffer image) {
            incarnation = fileIncarnation;
            bytes = Unpooled.wrappedBuffer(image);
        }

        private Fields row(String record, long ledgerId) {
            Fields row = new Fields()
                    .with("record", record)
                    .with("incarnation", incarnation)
                    .with("ledgerId", ledgerId);
            records.add(row);
            return row;
        }

        @Override
        public void entry(int offset) {
            row("entry", EntryLayout.ledgerId(bytes, offset))
                    .with("entryId", EntryLayout.entryId(bytes, offset))
                    .with("lastAddConfirmed", EntryLayout.lastAddConfirmed(bytes, offset))
                    .with("bytes", (long) bytes.getIntLE(offset - Integer.BYTES));
        }

        @Override
        public void fence(long ledgerId) {
            row("fence", ledgerId);
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            row("published", ledgerId).with("lastAddConfirmed", lastAddConfirmed);
        }

        @Override
        public void limbo(long ledgerId, int count) {
            row("limbo", ledgerId).with("inLimbo", count % 2 == 1);
        }

        @Override
        public void buried(long ledgerId) {
            row("tombstone", ledgerId);
        }

        @Override
        public void fileEnds(long nextSequence) {
            bytes = Unpooled.EMPTY_BUFFER;
        }
    }
}
