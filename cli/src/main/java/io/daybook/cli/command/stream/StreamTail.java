// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook stream tail}. */
@Command(
        name = "tail",
        description = {
            "Writes the last records of a stream to standard output and goes on with records as they are written, until"
                    + " Ctrl-C or the stream's end.",
            "To find the last records it reads the newest segment from its beginning."
        })
final class StreamTail implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            defaultValue = "10",
            description = "How many of the last records, 0 to 1000000. Default: 10.")
    private int count;

    StreamTail(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        int kept = Math.min(Math.max(count, 0), 1_000_000);
        RecordPrinter printer = new RecordPrinter(invocation, format);
        try (Namespace namespace = invocation.openNamespace();
                Shutdown shutdown = Shutdown.does(namespace::close)) {
            LogStream opened =
                    namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join();
            StartPosition start = kept == 0
                    ? StartPosition.latest()
                    : before(kept, opened.status().join());
            try (LogReader reader = opened.openReader(start).join()) {
                if (kept > 0) {
                    printLast(printer, reader, kept);
                }
                printer.follow(reader, Long.MAX_VALUE);
            }
        }
        return ExitCodes.DONE;
    }

    /** A place from which at least {@code wanted} records follow, where the stream has as many. */
    private static StartPosition before(int wanted, StreamStatus status) {
        List<StreamStatus.Segment> segments = status.segments();
        long following = 0;
        for (int i = segments.size() - 1; i > 0; i--) {
            following += segments.get(i).recordCount().orElse(0L);
            if (following >= wanted) {
                return StartPosition.at(new DLSN(segments.get(i).number(), 0, 0))
                        .orEarliest();
            }
        }
        return StartPosition.earliest();
    }

    private static void printLast(RecordPrinter printer, LogReader reader, int kept) throws Exception {
        Deque<PositionedRecord> last = new ArrayDeque<>();
        for (PositionedRecord record : reader.drain()) {
            if (last.size() == kept) {
                last.removeFirst();
            }
            last.addLast(record);
        }
        for (PositionedRecord record : last) {
            printer.print(record);
        }
        printer.flush();
    }
}
