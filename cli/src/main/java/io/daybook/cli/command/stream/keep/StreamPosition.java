// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.ReadFrom;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook stream position}. */
@Command(
        name = "position",
        description = {
            "Prints the position, the sequence id and the transaction id of a record: the last one, or the first one at a"
                    + " place.",
            "Fails when there is none."
        })
public final class StreamPosition implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Option(
            names = "--at",
            paramLabel = "PLACE",
            converter = ReadFrom.class,
            description =
                    "earliest, a position such as 1:17:3, after:1:17:3, txid:N or time:2026-01-31T12:00:00Z. Default:"
                            + " the last record.")
    private Optional<StartPosition> place = Optional.empty();

    StreamPosition(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Optional<PositionedRecord> found;
        try (Namespace namespace = invocation.openNamespace()) {
            LogStream opened =
                    namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join();
            found = place.isPresent()
                    ? opened.find(place.get()).join()
                    : opened.lastRecord().join();
        }
        PositionedRecord record = found.orElseThrow(() -> new CommandFailure("stream '" + stream.text()
                + "' has no record " + (place.isPresent() ? "at that place or after it" : "that is readable")));
        Output output = invocation.output();
        output.result(
                record.position() + " " + record.sequenceId() + " " + record.transactionId(),
                new Fields()
                        .with("position", record.position().toString())
                        .with("sequenceId", record.sequenceId())
                        .with("transactionId", record.transactionId()));
        output.flush();
        return ExitCodes.DONE;
    }
}
