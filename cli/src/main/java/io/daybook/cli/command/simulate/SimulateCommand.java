// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.simulation.RunOutcome;
import io.daybook.simulation.Simulation;
import io.daybook.simulation.Simulation.Series;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.planted.DefectHunt;
import io.daybook.simulation.planted.PlantedDefect;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook simulate}. */
@Command(
        name = "simulate",
        description = {
            "Runs real bookies and clients in a simulated world with faults, and checks that nothing acknowledged is lost.",
            "Every run is drawn from a seed and can be repeated. The exit code is 1 when a run finds something wrong; its plan is"
                    + " printed, and a smaller one that fails in the same way."
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int SHRINKING_RUNS = 200;

    @Mixin
    private final Invocation invocation;

    @ArgGroup
    private final What what = new What();

    @Option(
            names = "--first-seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The first seed of --seeds and --planted. Default: 1.")
    private long firstSeed;

    @Option(
            names = "--trace",
            description = "With --seed or --plan: also print each call of the clients and the last events.")
    private boolean trace;

    SimulateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    /** What is run: exactly one of them. */
    private static final class What {
        @Option(names = "--seeds", paramLabel = "N", description = "Run N seeds. Default: 200.")
        private int seeds = 200;

        @Option(names = "--seed", paramLabel = "N", description = "Run one seed.")
        private Optional<Long> seed = Optional.empty();

        @Option(names = "--plan", paramLabel = "FILE", description = "Run the plan in a file.")
        private Optional<Path> plan = Optional.empty();

        @Option(
                names = "--planted",
                paramLabel = "N",
                description =
                        "Plant one known defect after the other and count the seeds, at most N, until a run finds it.")
        private Optional<Integer> planted = Optional.empty();
    }

    @Override
    public Integer call() throws Exception {
        Logging.hide();
        boolean isGood;
        if (what.planted.isPresent()) {
            isGood = hunt(what.planted.get());
        } else if (what.plan.isPresent()) {
            Plan plan = Plan.parse(Files.readString(what.plan.get(), StandardCharsets.UTF_8));
            isGood = one(Simulation.run(plan, List.of()));
        } else if (what.seed.isPresent()) {
            isGood = one(Simulation.ofSeed(what.seed.get()));
        } else {
            isGood = many(what.seeds);
        }
        return isGood ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private boolean one(RunOutcome outcome) throws IOException {
        if (trace) {
            for (Call call : outcome.history().calls()) {
                invocation.terminal().message(HistoryFormat.write(call));
            }
            invocation.terminal().message(outcome.describe());
        }
        Output output = invocation.output();
        output.thing(new Fields()
                .with("seed", outcome.plan().seed())
                .with("traceHash", Long.toHexString(outcome.traceHash()))
                .with("events", outcome.events())
                .with("virtualSeconds", outcome.virtualNanos() / 1e9)
                .with("appendsAcknowledged", outcome.appendsAcknowledged())
                .withTexts(
                        "violations",
                        outcome.violations().stream().map(Violation::toString).toList()));
        output.flush();
        return outcome.isGood();
    }

    private boolean many(int seeds) throws IOException {
        Series series;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "seeds", seeds)) {
            series = Simulation.series(firstSeed, List.of(), runs -> runs < seeds, outcome -> progress.step());
        }
        if (series.failure().isPresent()) {
            RunOutcome failure = series.failure().get();
            invocation.terminal().message(failure.describe());
            RunOutcome smaller = Simulation.shrink(failure, List.of(), SHRINKING_RUNS);
            invocation.terminal().message("---- smaller\n" + smaller.describe());
        }
        Fields situations = new Fields();
        series.situations().forEach(situations::with);
        Output output = invocation.output();
        output.thing(new Fields()
                .with("seeds", series.runs())
                .with("events", series.events())
                .with("virtualSeconds", series.virtualNanos() / 1e9)
                .with("appendsAcknowledged", series.appendsAcknowledged())
                .with(
                        "failedSeed",
                        series.failure().map(failure -> failure.plan().seed()))
                .with("situations", situations));
        output.flush();
        return series.failure().isEmpty();
    }

    private boolean hunt(int seedsMax) throws IOException {
        Output output = invocation.output();
        boolean foundAll = true;
        for (PlantedDefect defect : PlantedDefect.values()) {
            DefectHunt hunt = DefectHunt.begin(defect, firstSeed, seeds -> seeds < seedsMax);
            String check = hunt.found()
                    .map(outcome -> outcome.violations().get(0).check())
                    .orElse("not found");
            output.result(
                    hunt.toString(),
                    new Fields()
                            .with("defect", defect.point())
                            .with("seeds", hunt.seeds())
                            .with("check", check));
            output.flush();
            foundAll &= hunt.found().isPresent();
        }
        return foundAll;
    }
}
