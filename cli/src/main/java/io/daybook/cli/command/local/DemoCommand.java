// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import io.daybook.cli.invocation.InputFile;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Started;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook demo}. */
@WithoutCluster
@Command(
        name = "demo",
        description = {
            "Shows that it works: a cluster, a stream, a reader that follows, and a proof.",
            "Starts ZooKeeper and three bookies in this process, writes a file to a stream line by line, follows the stream"
                    + " with a reader at the same time, compares what was read with what was written, and removes everything.",
            "Exit code 0 means that every byte was verified."
        })
public final class DemoCommand implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "What to write; standard input when it is a pipe or a file, else 100000 made-up lines.")
    private Optional<Path> file = Optional.empty();

    DemoCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        if (file.isEmpty() && invocation.terminal().inIsTerminal()) {
            invocation
                    .terminal()
                    .message("daybook: no FILE was given, so this writes " + SampleText.LINES + " made-up lines");
            try (InputStream sample = SampleText.open()) {
                return show(sample);
            }
        }
        try (InputFile input = InputFile.open(file, invocation.terminal(), "demo")) {
            return show(input.bytes());
        }
    }

    private int show(InputStream input) throws Exception {
        long begin = System.nanoTime();
        Demo demo;
        try (Started<LocalCluster> cluster =
                Started.of(() -> LocalCluster.builder().bookies(3).start(), LocalCluster::close)) {
            double startSeconds = secondsSince(begin);
            try (Namespace namespace = Namespace.open(cluster.get().uri().toString())) {
                demo = new Demo(namespace, startSeconds);
                demo.run(input);
            }
        }
        Output output = invocation.output();
        output.thing(demo.report().with("elapsedSeconds", secondsSince(begin)));
        output.flush();
        return ExitCodes.DONE;
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
