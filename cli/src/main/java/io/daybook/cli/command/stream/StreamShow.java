// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import java.util.Locale;
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
        return new Fields()
                .with("name", status.name())
                .with("sealed", status.isSealed())
                .with("created", status.created().toString())
                .with("epoch", status.epoch())
                .with("owner", status.owner())
                .with("quorums", options.ensembleSize() + "/" + options.writeQuorum() + "/" + options.ackQuorum())
                .with(
                        "transactionIds",
                        options.transactionIdMode()
                                .name()
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'))
                .with("segmentBytesMax", options.segmentBytesMax())
                .with("segmentSecondsMax", options.segmentAgeMax().toSeconds())
                .withList(
                        "segments",
                        status.segments().stream().map(StreamShow::fields).toList());
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
