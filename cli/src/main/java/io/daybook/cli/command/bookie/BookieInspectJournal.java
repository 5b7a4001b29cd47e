// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.ExitCode;
import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.protocol.EntryLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bookie inspect-journal}. */
@Command(
        name = "inspect-journal",
        description = {
            "Lists the records of a bookie's journals that are not moved into entry logs yet: what its next start replays.",
            "Of a damaged journal it lists what survives, and says what is damaged. Nothing is listed after the bookie was"
                    + " stopped in order. The bookie must not run."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed otherwise",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "14:a journal is damaged; what survives is listed",
            "15:a directory cannot be read"
        })
final class BookieInspectJournal implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    @Mixin
    private final RecordFilter filter = new RecordFilter();

    BookieInspectJournal(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return directories.run(this::inspect);
    }

    private int inspect(OfflineBookie bookie) throws Exception {
        for (OfflineBookie.JournalMark mark : bookie.journalMarks()) {
            tell(mark.directory() + ": " + mark.filesFound() + " files; a start replays from incarnation "
                    + mark.incarnation() + ", record " + mark.sequence());
        }
        filter.begin(
                invocation, "record", "incarnation", "ledgerId", "entryId", "lastAddConfirmed", "bytes", "inLimbo");
        List<String> damages = bookie.replay(new Records(filter));
        filter.end();
        damages.forEach(this::tell);
        return damages.isEmpty() ? ExitCodes.DONE : ExitCode.JOURNAL_DAMAGED.code();
    }

    private void tell(String message) {
        invocation.terminal().message("daybook: " + message);
    }

    /** Shows each record. */
    private static final class Records implements ReplayTarget {
        private final RecordFilter filter;
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private long incarnation;

        private Records(RecordFilter filter) {
            this.filter = filter;
        }

        @Override
        public void fileBegins(int fileIncarnation, ByteBuffer image) {
            incarnation = fileIncarnation;
            bytes = Unpooled.wrappedBuffer(image);
        }

        private Fields row(String record, long ledgerId) {
            return new Fields()
                    .with("record", record)
                    .with("incarnation", incarnation)
                    .with("ledgerId", ledgerId);
        }

        @Override
        public void entry(int offset) {
            long ledgerId = EntryLayout.ledgerId(bytes, offset);
            filter.show(
                    ledgerId,
                    row("entry", ledgerId)
                            .with("entryId", EntryLayout.entryId(bytes, offset))
                            .with("lastAddConfirmed", EntryLayout.lastAddConfirmed(bytes, offset))
                            .with("bytes", (long) bytes.getIntLE(offset - Integer.BYTES)));
        }

        @Override
        public void fence(long ledgerId) {
            filter.show(ledgerId, row("fence", ledgerId));
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            filter.show(ledgerId, row("published", ledgerId).with("lastAddConfirmed", lastAddConfirmed));
        }

        @Override
        public void limbo(long ledgerId, int count) {
            filter.show(ledgerId, row("limbo", ledgerId).with("inLimbo", count % 2 == 1));
        }

        @Override
        public void buried(long ledgerId) {
            filter.show(ledgerId, row("tombstone", ledgerId));
        }

        @Override
        public void fileEnds(long nextSequence) {
            bytes = Unpooled.EMPTY_BUFFER;
        }
    }
}
