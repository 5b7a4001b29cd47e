// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.ReadFrom;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.invocation.converter.CountConverter;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.stream.LogReader;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook stream read}. */
@Command(
        name = "read",
        description = "Writes the records of a stream to standard output, up to what is its end when reading begins.")
final class StreamRead implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(
            names = "--from",
            paramLabel = "PLACE",
            defaultValue = "earliest",
            converter = ReadFrom.class,
            description =
                    "earliest, latest, a position such as 1:17:3, after:1:17:3 for what follows it, txid:N for the"
                            + " first record with a transaction id of N or more, time:2026-01-31T12:00:00Z for the"
                            + " segment of a time, or subscription:ID. Default: earliest.")
    private StartPosition from = StartPosition.earliest();

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "999999999999999999",
            converter = CountConverter.class,
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            description = "End after this many records.")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--follow",
            description = "Go on with records as they are written, until Ctrl-C or the stream's end.")
    private boolean follow;

    @Option(
            names = "--or-earliest",
            description = "When the place was truncated, begin at the first record that is left instead of failing.")
    private boolean orEarliest;

    StreamRead(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        RecordPrinter printer = new RecordPrinter(invocation, format);
        try (Namespace namespace = invocation.openNamespace();
                Shutdown shutdown = Shutdown.does(namespace::close);
                LogReader reader = namespace
                        .openStream(stream.text(), OpenMode.MUST_EXIST)
                        .join()
                        .openReader(orEarliest ? ReadFrom.orEarliest(from) : from)
                        .join()) {
            if (follow) {
                printer.follow(reader, count);
            } else {
                printer.printPresent(reader, count);
            }
        }
        return ExitCodes.DONE;
    }
}
