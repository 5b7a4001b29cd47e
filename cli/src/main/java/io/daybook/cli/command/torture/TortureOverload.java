// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.runtime.settings.ByteSize;
import io.daybook.simulation.torture.OverloadReport;
import io.daybook.simulation.torture.OverloadRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture overload}. */
@WithoutCluster
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

    @Mixin
    private final TortureDirectory kept = new TortureDirectory();

    TortureOverload(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(clients >= 1 && clients <= 10_000, "--clients must be 1 to 10000");
        invocation.require(
                memory.bytes() >= OverloadRun.Plan.MEMORY_BYTES_MIN,
                "--memory must be " + (OverloadRun.Plan.MEMORY_BYTES_MIN >> 20) + "MiB or more");
        invocation.require(duration.toSeconds() >= 1, "--duration must be 1s or more");
        invocation.require(!recovery.isNegative(), "--recovery must be 0s or more");
        try (TortureDirectory.Place place = kept.open(invocation.terminal())) {
            OverloadReport report = run(place.path());
            StringBuilder text = new StringBuilder(text(report));
            place.finish(report.violations(), text);
            Output output = invocation.output();
            output.result(text.toString(), fields(report));
            output.flush();
            return report.violations().isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
        }
    }

    private OverloadReport run(Path directory) throws Exception {
        OverloadRun.Plan plan = new OverloadRun.Plan(clients, memory.bytes(), duration, recovery);
        try (Progress progress = Progress.ofCount(invocation.terminal(), "overload", duration.toSeconds())) {
            return new OverloadRun(directory, plan, second -> progress.step()).run();
        }
    }

    private static String text(OverloadReport report) {
        return report.acknowledged() + " entries of " + (report.acknowledgedBytes() >> 20) + " MiB acknowledged, "
                + report.verified() + " read back and compared, an append took " + report.quietMicros()
                + " us before the load and at most " + report.loadedMillisMax()
                + " ms under it, as fast as before after "
                + report.recoverySeconds() + " s, memory " + (report.residentBytesMax() >> 20) + " MiB, ";
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
