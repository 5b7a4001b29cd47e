// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.simulation.crash.CrashFinding;
import io.daybook.simulation.crash.CrashPoints;
import io.daybook.simulation.crash.CrashPoints.Depth;
import io.daybook.simulation.crash.CrashPoints.Trial;
import io.daybook.simulation.crash.CrashScript;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code daybook simulate --crash-points}: power fails after every disk operation of a bookie, in every way. */
final class CrashPointOptions {
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--crash-points",
            required = true,
            description =
                    "Let the power of a bookie fail after every disk operation of short lives, in every way its disks may be"
                            + " found then, and check that it starts again and keeps what it told.")
    private boolean crashPoints;

    @Option(
            names = "--script",
            paramLabel = "NAME",
            description = "With --crash-points: only this life: ${COMPLETION-CANDIDATES}.")
    private Optional<CrashScript> script = Optional.empty();

    @Option(
            names = "--every",
            paramLabel = "N",
            description = "With --crash-points: only every Nth moment. Default: 1.")
    private int every = 1;

    @Option(
            names = "--again",
            paramLabel = "N",
            description =
                    "With --crash-points: crash every Nth start in turn, at each of its operations; 0 for none. Default: 10.")
    private int again = 10;

    /** Whether crash points are what is to be tried. */
    boolean isAsked() {
        return crashPoints;
    }

    /** Tries the lives; returns whether nothing is wrong. */
    boolean run(Invocation invocation, long seed) throws IOException {
        Depth depth = depth();
        Output output = invocation.output();
        boolean isGood = true;
        for (CrashScript each : script.map(List::of).orElse(List.of(CrashScript.values()))) {
            long began = System.nanoTime();
            CrashPoints.Result result;
            try (Progress progress = Progress.ofCount(invocation.terminal(), "starts", -1)) {
                Trial trial = new Trial(each, seed, depth, List.of());
                result = CrashPoints.of(trial, starts -> {
                    progress.step();
                    return true;
                });
            }
            double seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
            result.findings().forEach(finding -> invocation.terminal().message(finding.toString()));
            String text = String.format(
                    "%s: %d moments, %d starts, %d findings, %.1f s",
                    each, result.moments(), result.starts(), result.findings().size(), seconds);
            output.result(
                    text,
                    new Fields()
                            .with("script", each.name())
                            .with("moments", result.moments())
                            .with("starts", result.starts())
                            .with("seconds", seconds)
                            .withTexts(
                                    "findings",
                                    result.findings().stream()
                                            .map(CrashFinding::toString)
                                            .toList()));
            output.flush();
            isGood &= result.findings().isEmpty();
        }
        return isGood;
    }

    private Depth depth() {
        try {
            return new Depth(every, again);
        } catch (IllegalArgumentException refusal) {
            throw new CommandFailure(
                    ExitCodes.USAGE,
                    "--every must be 1 or more and --again 0 or more, not " + every + " and " + again,
                    refusal);
        }
    }
}
