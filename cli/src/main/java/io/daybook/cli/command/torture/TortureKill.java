// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.simulation.torture.KillLoop;
import io.daybook.simulation.torture.KillReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook torture kill}. */
@WithoutCluster
@Command(
        name = "kill",
        description = {
            "Kills a bookie with SIGKILL under load, again and again, starts it on the same directories, and reads everything"
                    + " that was acknowledged back and compares it.",
            "The bookie is a process of its own with small files, so that flushes, checkpoints, cleanup and compaction are hit"
                    + " too. The exit code is 1 when anything is missing or a start fails."
        })
final class TortureKill implements Callable<Integer> {
    private static final int JOURNALS_MAX = 8;

    @Mixin
    private final Invocation invocation;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "100", description = "How many kills. Default: 100.")
    private int cycles;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides when to kill. Default: 1.")
    private long seed;

    @Option(
            names = "--journals",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many journals the bookie has, 1 to 8. Default: 1.")
    private int journals;

    @Mixin
    private final TortureDirectory kept = new TortureDirectory();

    TortureKill(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(cycles >= 1, "--cycles must be 1 or more");
        invocation.require(journals >= 1 && journals <= JOURNALS_MAX, "--journals must be 1 to " + JOURNALS_MAX);
        try (TortureDirectory.Place place = kept.open(invocation.terminal())) {
            KillReport report = run(place.path());
            StringBuilder text = new StringBuilder(text(report));
            place.finish(report.violations(), text);
            Output output = invocation.output();
            output.result(text.toString(), fields(report));
            output.flush();
            return report.violations().isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
        }
    }

    private KillReport run(Path directory) throws Exception {
        try (Progress progress = Progress.ofCount(invocation.terminal(), "kill", cycles)) {
            return new KillLoop(directory, cycles, journals, seed, cycle -> progress.step()).run();
        }
    }

    private static String text(KillReport report) {
        return report.cycles() + " kills, " + report.acknowledged() + " entries acknowledged, " + report.verified()
                + " read back and compared, " + report.interrupted() + " recoveries cut short by a kill, longest start "
                + report.startMillisMax() + " ms, ";
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
