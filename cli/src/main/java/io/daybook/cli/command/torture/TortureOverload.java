// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.ByteSizeConverter;
import io.daybook.cli.invocation.DurationConverter;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.runtime.settings.ByteSize;
import io.daybook.simulation.torture.OverloadReport;
import io.daybook.simulation.torture.OverloadRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture overload}. */
@Command(
        name = "overload",
        description = {
            "Gives a bookie, a process with little memory, more appends than its disk takes, from many clients, and reads old"
                    + " entries at the same time.",
            "The exit code is 1 when the bookie ends, takes more memory than it was given, or fails a client, when anything"
                    + " acknowledged is not read back, or when appends are not as fast as before soon after the load."
        })
final class TortureOverload implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "64",
            description = "Clients that append. Default: 64.")
    private int clients;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "512MiB",
            converter = ByteSizeConverter.class,
            description = "Memory of the bookie's process, in all. Default: 512MiB.")
    private ByteSize memory = new ByteSize(0);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long the load lasts. Default: 10m.")
    private Duration duration = Duration.ofMinutes(10);

    @Option(
            names = "--recovery",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "How long after the load appends may be slow. Default: 10s.")
    private Duration recovery = Duration.ofSeconds(10);

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Keep everything in this new directory, the bookie's messages too. Default: a temporary one that"
                            + " is removed when nothing was found.")
    private Optional<Path> data = Optional.empty();

    TortureOverload(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        OverloadRun.Plan plan;
        try {
            plan = new OverloadRun.Plan(clients, memory.bytes(), duration, recovery);
        } catch (IllegalArgumentException outOfRange) {
            throw new CommandFailure(String.valueOf(outOfRange.getMessage()), outOfRange);
        }
        Path directory =
                data.isPresent() ? Files.createDirectories(data.get()) : Files.createTempDirectory("daybook-torture");
        OverloadReport report;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "overload", duration.toSeconds())) {
            report = new OverloadRun(directory, plan, second -> progress.step()).run();
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

    private static String text(OverloadReport report, Path directory) {
        StringBuilder text = new StringBuilder();
        text.append(report.acknowledged())
                .append(" entries of ")
                .append(report.acknowledgedBytes() >> 20)
                .append(" MiB acknowledged, ")
                .append(report.verified())
                .append(" read back and compared, an append took ")
                .append(report.quietMicros())
                .append(" us before the load and at most ")
                .append(report.loadedMillisMax())
                .append(" ms under it, as fast as before after ")
                .append(report.recoverySeconds())
                .append(" s, memory ")
                .append(report.residentBytesMax() >> 20)
                .append(" MiB, violations: ")
                .append(report.violations().size());
        report.violations().forEach(violation -> text.append('\n').append(violation));
        if (!report.violations().isEmpty()) {
            text.append("\nkept: ").append(directory);
        }
        return text.toString();
    }

    private static Fields fields(OverloadReport report) {
        return new Fields()
                .with("acknowledged", report.acknowledged())
                .with("acknowledgedBytes", report.acknowledgedBytes())
                .with("verified", report.verified())
                .with("quietMicros", report.quietMicros())
                .with("loadedMillisMax", report.loadedMillisMax())
                .with("recoverySeconds", (long) report.recoverySeconds())
                .with("residentBytesMax", report.residentBytesMax())
                .with("violations", String.join("\n", report.violations()));
    }
}
