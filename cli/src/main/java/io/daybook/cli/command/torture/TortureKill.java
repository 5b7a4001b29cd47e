// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.simulation.torture.KillLoop;
import io.daybook.simulation.torture.KillReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture kill}. */
@Command(
        name = "kill",
        description = {
            "Kills a bookie with SIGKILL under load, again and again, starts it on the same directories, and reads everything"
                    + " that was acknowledged back and compares it.",
            "The bookie is a process of its own with small files, so that flushes, checkpoints, cleanup and compaction are hit"
                    + " too. The exit code is 1 when anything is missing or a start fails."
        })
final class TortureKill implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "100", description = "How many kills. Default: 100.")
    private int cycles;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides when to kill. Default: 1.")
    private long seed;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Keep everything in this new directory, the bookie's messages too. Default: a temporary one that"
                            + " is removed when nothing was found.")
    private Optional<Path> data = Optional.empty();

    TortureKill(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Path directory =
                data.isPresent() ? Files.createDirectories(data.get()) : Files.createTempDirectory("daybook-torture");
        KillReport report;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "kill", cycles)) {
            report = new KillLoop(directory, cycles, seed, cycle -> progress.step()).run();
        }
        boolean isClean = report.violations().isEmpty();
        if (isClean && data.isEmpty()) {
            Directories.remove(directory);
        }
        Output output = invocation.output();
        output.result(text(report, directory), fields(report));
        output.flush();
        return isClean ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static String text(KillReport report, Path directory) {
        StringBuilder text = new StringBuilder();
        text.append(report.cycles())
                .append(" kills, ")
                .append(report.acknowledged())
                .append(" entries acknowledged, ")
                .append(report.verified())
                .append(" read back and compared, ")
                .append(report.interrupted())
                .append(" recoveries cut short by a kill, longest start ")
                .append(report.startMillisMax())
                .append(" ms, violations: ")
                .append(report.violations().size());
        report.violations().forEach(violation -> text.append('\n').append(violation));
        if (!report.violations().isEmpty()) {
            text.append("\nkept: ").append(directory);
        }
        return text.toString();
    }

    private static Fields fields(KillReport report) {
        return new Fields()
                .with("cycles", (long) report.cycles())
                .with("acknowledged", report.acknowledged())
                .with("verified", report.verified())
                .with("interrupted", report.interrupted())
                .with("startMillisMax", report.startMillisMax())
                .with("violations", String.join("\n", report.violations()));
    }
}
