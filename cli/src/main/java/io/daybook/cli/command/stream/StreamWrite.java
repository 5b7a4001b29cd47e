// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.command.stream.keep.OwnershipOption;
import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSource;
import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.InputFile;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook stream write}. */
@Command(
        name = "write",
        description = {
            "Appends records from standard input or a file, and prints the position of the last one when all are durable.",
            "The command becomes the one writer of the stream; it waits for another one to end unless it is told otherwise."
                    + " An input of any size needs little memory."
        })
final class StreamWrite implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(names = "--file", paramLabel = "FILE", description = "Read this file instead of standard input.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--transaction-id",
            paramLabel = "RULE",
            defaultValue = "sequence",
            description =
                    "How records that bring no transaction id get one. sequence: one more than the last one of the"
                            + " stream. time: milliseconds since 1970, never falling. Default: sequence.")
    private TransactionIds.Rule rule = TransactionIds.Rule.sequence;

    @Option(names = "--create", description = "Create the stream with default options when it does not exist.")
    private boolean create;

    @Mixin
    private final OwnershipOption ownership = new OwnershipOption();

    StreamWrite(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (Namespace namespace = invocation.openNamespace();
                InputFile input = InputFile.open(file, invocation.terminal(), stream.text())) {
            LogStream opened = namespace
                    .openStream(stream.text(), create ? OpenMode.CREATE_IF_MISSING : OpenMode.MUST_EXIST)
                    .join();
            RecordSource source = format.orElse(RecordFormat.LINES).source(input.bytes(), LogRecord.PAYLOAD_BYTES_MAX);
            LogWriter writer =
                    opened.openWriter(ownership.writerOptions("stream write")).join();
            write(writer, source);
            writer.close();
        }
        return ExitCodes.DONE;
    }

    private void write(LogWriter writer, RecordSource source) throws Exception {
        RecordPump pump =
                new RecordPump(writer, new TransactionIds(rule, writer.lastTransactionId(), System::currentTimeMillis));
        try (Shutdown shutdown = Shutdown.does(() -> invocation.terminal().message("daybook: " + pump.cutShort()))) {
            pump.pump(source);
        }
        Output output = invocation.output();
        output.result(
                pump.lastPosition().toString(),
                new Fields()
                        .with("name", writer.streamName())
                        .with("records", pump.recordCount())
                        .with("bytes", pump.byteCount())
                        .with("lastPosition", pump.lastPosition().toString()));
        output.flush();
    }
}
