// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.command.stream.keep.KeepingOptions;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook stream show}. */
@Command(name = "show", description = "Shows a stream: its options, its writer and its newest segments.")
final class StreamShow implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    StreamShow(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        StreamStatus status;
        try (Namespace namespace = invocation.openNamespace()) {
            status = namespace
                    .openStream(stream.text(), OpenMode.MUST_EXIST)
                    .join()
                    .status()
                    .join();
        }
        Output output = invocation.output();
        output.thing(fields(status));
        output.flush();
        return ExitCodes.DONE;
    }

    private static Fields fields(StreamStatus status) {
        StreamOptions options = status.options();
        Fields fields = new Fields()
                .with("name", status.name())
                .with("sealed", status.isSealed())
                .with("created", status.created().toString())
                .with("epoch", status.epoch())
                .with("owner", status.owner());
        return KeepingOptions.added(fields, options)
                .with("firstKept", status.firstKept().toString())
                .with("records", status.records().map(StreamStatus.Records::count))
                .with("first", position(status.records().flatMap(StreamStatus.Records::first)))
                .with("last", position(status.records().flatMap(StreamStatus.Records::last)))
                .withList(
                        "segments",
                        status.segments().stream().map(StreamShow::fields).toList());
    }

    private static String position(Optional<StreamStatus.Point> point) {
        return point.map(there -> there.position().toString()).orElse("");
    }

    private static Fields fields(StreamStatus.Segment segment) {
        return new Fields()
                .with("number", segment.number())
                .with("ledgerId", segment.ledgerId())
                .with("state", segment.state())
                .with("records", segment.recordCount())
                .with("bytes", segment.payloadBytes())
                .with("firstTransactionId", segment.firstTransactionId())
                .with("lastTransactionId", segment.lastTransactionId())
                .with("created", segment.created().toString());
    }
}
