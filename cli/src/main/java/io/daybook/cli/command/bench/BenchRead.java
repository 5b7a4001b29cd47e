// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.ReadBench;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.runtime.settings.ByteSize;
import io.daybook.stream.LogRecord;
import io.daybook.testkit.cluster.LocalCluster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bench read}. */
@WithoutCluster
@Command(
        name = "read",
        description = {
            "Reads a stream from its beginning that no bookie has in memory, and compares that with a plain read of the same"
                    + " files on the same disk. Bookies and client are in one process.",
            "The exit code is 1 when a record is not read once and in order."
        })
final class BenchRead implements Callable<Integer> {
    private static final int RECORDS_MAX = 1_000_000_000;

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Option(names = "--bookies", paramLabel = "N", defaultValue = "3", description = "How many bookies. Default: 3.")
    private int bookies;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many records are written and read. Default: 1000000.")
    private int records;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1KiB",
            converter = ByteSizeConverter.class,
            description = "Payload of each record. Default: 1KiB.")
    private ByteSize size = new ByteSize(0);

    BenchRead(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(
                bookies >= quorums.value().ensembleSize() && bookies <= 32, "--bookies must be E of --quorums to 32");
        invocation.require(records >= 1 && records <= RECORDS_MAX, "--records must be 1 to " + RECORDS_MAX);
        invocation.require(
                size.bytes() >= 1 && size.bytes() <= LogRecord.PAYLOAD_BYTES_MAX,
                "--size must be 1 to " + LogRecord.PAYLOAD_BYTES_MAX + " bytes");
        ReadBench.Plan plan = new ReadBench.Plan(quorums.value(), records, (int) size.bytes());
        ReadBench.Result result;
        try (Started<LocalCluster> cluster =
                Started.of(() -> LocalCluster.builder().bookies(bookies).start(), LocalCluster::close)) {
            result = new ReadBench(plan, line -> invocation.terminal().message("daybook: " + line)).run(cluster.get());
        }
        Output output = invocation.output();
        output.thing(fields(result));
        output.flush();
        if (result.records() < records || result.misplaced() > 0) {
            throw new CommandFailure((records - result.records()) + " records were not read and " + result.misplaced()
                    + " were read in another's place");
        }
        return ExitCodes.DONE;
    }

    private Fields fields(ReadBench.Result result) {
        double megabytes = result.perSecond() * size.bytes() / 1e6;
        return new Fields()
                .with("records", result.records())
                .with("payloadBytes", size.bytes())
                .with("entries", result.entries())
                .with("seconds", result.nanos() / 1e9)
                .with("recordsPerSecond", result.perSecond())
                .with("megabytesPerSecond", megabytes)
                .with("requests", result.requests())
                .with("requestsPerEntry", result.requests() / (double) Math.max(1, result.entries()))
                .with("plainMegabytesPerSecond", result.plainMegabytesPerSecond())
                .with("plainBeforeMegabytesPerSecond", result.before().megabytesPerSecond())
                .with("plainAfterMegabytesPerSecond", result.after().megabytesPerSecond())
                .with("ratioToPlain", megabytes / Math.max(0.001, result.plainMegabytesPerSecond()))
                .with("pastPageCache", result.before().isFromDevice())
                .with("foreignCores", result.foreignCores());
    }
}
