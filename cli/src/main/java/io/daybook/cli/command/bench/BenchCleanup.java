// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.CleanupBench;
import io.daybook.benchmarks.cluster.ProcessCluster;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.runtime.settings.ByteSize;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bench cleanup}. */
@WithoutCluster
@Command(
        name = "cleanup",
        description = {
            "Appends entries at a steady rate, in turns undisturbed and while ledgers are deleted and logs of which a tenth is"
                    + " alive are compacted, and tells how much slower appends get. Bookies are processes of their own.",
            "The exit code is 1 when an append fails, or when no space came back: then nothing was compacted."
        })
final class BenchCleanup implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Option(names = "--bookies", paramLabel = "N", defaultValue = "3", description = "How many bookies. Default: 3.")
    private int bookies;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "1000", description = "Appends a second. Default: 1000.")
    private int rate;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1KiB",
            converter = ByteSizeConverter.class,
            description = "Payload of each append. Default: 1KiB.")
    private ByteSize size = new ByteSize(0);

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "Load before anything counts. Default: 20s.")
    private Duration warmup = Duration.ZERO;

    @Option(
            names = "--slice",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "How long each of the two parts of a round takes. Default: 20s.")
    private Duration slice = Duration.ZERO;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "How many rounds. Default: 3.")
    private int rounds;

    @Option(
            names = "--garbage",
            paramLabel = "SIZE",
            defaultValue = "256MiB",
            converter = ByteSizeConverter.class,
            description = "What is written before each round and deleted in it, but for a tenth. Default: 256MiB.")
    private ByteSize garbage = new ByteSize(0);

    @Option(
            names = "--deletions",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Empty ledgers that are deleted in each round. Default: 2000.")
    private int deletions;

    BenchCleanup(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(
                bookies >= quorums.value().ensembleSize() && bookies <= 32, "--bookies must be E of --quorums to 32");
        invocation.require(rate >= 1 && rate <= 1_000_000, "--rate must be 1 to 1000000");
        invocation.require(size.bytes() >= 1 && size.bytes() <= 1 << 20, "--size must be 1 byte to 1MiB");
        invocation.require(rounds >= 1 && rounds <= 1000, "--rounds must be 1 to 1000");
        invocation.require(slice.toSeconds() >= 1, "--slice must be 1s or more");
        invocation.require(deletions >= 0, "--deletions must be 0 or more");
        CleanupBench.Plan plan = new CleanupBench.Plan(
                quorums.value(), (int) size.bytes(), rate, warmup, slice, rounds, garbage.bytes(), deletions);
        List<CleanupBench.Round> done;
        try (Started<ProcessCluster> cluster = Started.of(() -> CleanupBench.cluster(bookies), ProcessCluster::close)) {
            done = new CleanupBench(plan, line -> invocation.terminal().message("daybook: " + line)).run(cluster.get());
        }
        Output output = invocation.output();
        output.table(done.stream().map(BenchCleanup::row).toList());
        output.flush();
        if (done.stream().anyMatch(round -> !round.isClean())) {
            throw new CommandFailure("appends failed: the figures are of the part before");
        }
        if (done.stream().allMatch(round -> round.bytesBack() <= 0)) {
            throw new CommandFailure("no space came back: raise --slice or --garbage, so that something is compacted");
        }
        return ExitCodes.DONE;
    }

    private static Fields row(CleanupBench.Round round) {
        return new Fields()
                .with("quietP99Micros", round.quietP99Micros())
                .with("busyP99Micros", round.busyP99Micros())
                .with("ratio", round.ratio())
                .with("mebibytesBack", round.bytesBack() >> 20);
    }
}
