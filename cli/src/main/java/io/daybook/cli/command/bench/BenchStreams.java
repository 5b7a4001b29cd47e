// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.cluster.BenchCluster;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.LogRecord;
import io.daybook.stream.Namespace;
import io.daybook.stream.StreamOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bench streams}. */
@Command(
        name = "streams",
        description = {
            "Writes and tails many streams at once from this process: memory of an open writer and an open reader, and how"
                    + " long it takes to open an existing stream and append to it.",
            "With --processes the bookies' memory is not in the figures."
        })
final class BenchStreams implements Callable<Integer> {
    private static final int STREAMS_MAX = 1_000_000;

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many streams are open at once. Default: 10000.")
    private int streams;

    @Option(
            names = "--existing",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many of them are opened again. Default: 1000.")
    private int existing;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "100",
            description = "Bytes of a record. Default: 100.")
    private int size;

    BenchStreams(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        boolean isPossible = streams >= 1
                && streams <= STREAMS_MAX
                && existing >= 1
                && size >= 0
                && size <= LogRecord.PAYLOAD_BYTES_MAX;
        if (!isPossible) {
            throw new CommandFailure("--streams must be 1 to " + STREAMS_MAX + ", --existing at least 1, --size 0 to "
                    + LogRecord.PAYLOAD_BYTES_MAX);
        }
        Quorums copies = quorums.value();
        cluster.check(invocation, copies);
        StreamOptions options =
                StreamOptions.DEFAULT.withQuorums(copies.ensembleSize(), copies.writeQuorum(), copies.ackQuorum());
        Fields fields;
        try (Started<BenchCluster> started = Started.of(() -> cluster.open(invocation), BenchCluster::close);
                Cleaning cleaning = new Cleaning(started.get())) {
            BenchCluster measured = started.get();
            ManyStreams many = cleaning.make(
                    () -> new ManyStreams(
                            measured,
                            Namespace.open(measured.uri().toString()),
                            options,
                            line -> invocation.terminal().message("daybook: " + line)),
                    ManyStreams::close);
            fields = many.run(streams, existing, size);
        }
        Output output = invocation.output();
        output.thing(fields);
        output.flush();
        return ExitCodes.DONE;
    }
}
