// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.simulation.Reach;
import io.daybook.simulation.RunOutcome;
import io.daybook.simulation.Seeds;
import io.daybook.simulation.Series;
import io.daybook.simulation.Simulation;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.simulation.planted.DefectHunt;
import io.daybook.simulation.planted.PlantedDefect;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
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
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_HOUR = 3600e9;

    @Mixin
    private final Invocation invocation;

    @ArgGroup
    private final What what = new What();

    @Option(
            names = "--first-seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The first seed of --seeds, --duration and --planted. Default: 1.")
    private long firstSeed;

    @Option(
            names = "--beyond-budget",
            description =
                    "Damage more copies than Daybook promises to survive: losses are allowed, but must be told honestly.")
    private boolean beyondBudget;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "How many runs are done at the same time. Default: one for each processor.")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--require-situations",
            description =
                    "With --seeds or --duration: fail also when one of the situations that are worth reaching was never reached.")
    private boolean requireSituations;

    @Option(
            names = "--defect",
            paramLabel = "NAME",
            description = "With --planted: only this defect; may be repeated. One of: ${COMPLETION-CANDIDATES}.")
    private List<PlantedDefect> defects = List.of(PlantedDefect.values());

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

        @Option(
                names = "--duration",
                paramLabel = "TIME",
                converter = DurationConverter.class,
                description = "Run seeds for so long, such as 10m.")
        private Optional<Duration> duration = Optional.empty();

        @Option(names = "--seed", paramLabel = "N", description = "Run one seed.")
        private Optional<Long> seed = Optional.empty();

        @Option(names = "--plan", paramLabel = "FILE", description = "Run the plan in a file.")
        private Optional<Path> plan = Optional.empty();

        @Option(
                names = "--planted",
                paramLabel = "N",
                arity = "0..1",
                fallbackValue = "5000",
                description =
                        "Plant one known defect after the other and count the seeds, at most N (default: 5000), until a run"
                                + " finds it.")
        private Optional<Integer> planted = Optional.empty();

        @ArgGroup(exclusive = false)
        private @Nullable ModelOptions model;

        @ArgGroup(exclusive = false)
        private @Nullable CrashPointOptions crashPoints;
    }

    @Override
    public Integer call() throws Exception {
        Logging.hide();
        boolean isGood;
        if (what.model != null && what.model.isAsked()) {
            isGood = what.model.run(invocation, firstSeed);
        } else if (what.crashPoints != null && what.crashPoints.isAsked()) {
            isGood = what.crashPoints.run(invocation, firstSeed);
        } else if (what.plan.isPresent()) {
            Plan plan = Plan.parse(Files.readString(what.plan.get(), StandardCharsets.UTF_8));
            isGood = one(Simulation.run(plan, List.of()));
        } else if (what.seed.isPresent()) {
            long seed = what.seed.get();
            isGood = one(
                    Simulation.run(beyondBudget ? PlanDraw.drawBeyondBudget(seed) : PlanDraw.draw(seed), List.of()));
        } else {
            try (WorkerThreads threads = new WorkerThreads(workers)) {
                Seeds seeds = Seeds.from(firstSeed).on(threads.workers());
                isGood = what.planted.isPresent() ? hunt(seeds, what.planted.get()) : many(seeds);
            }
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
                .with("virtualSeconds", outcome.virtualNanos() / NANOS_PER_SECOND)
                .with("appendsAcknowledged", outcome.appendsAcknowledged())
                .withTexts(
                        "violations",
                        outcome.violations().stream().map(Violation::toString).toList()));
        output.flush();
        return outcome.isGood();
    }

    private boolean many(Seeds seeds) throws IOException {
        long begun = System.nanoTime();
        long deadline = begun + what.duration.map(Duration::toNanos).orElse(0L);
        IntPredicate goOn =
                what.duration.isPresent() ? runs -> System.nanoTime() - deadline < 0 : runs -> runs < what.seeds;
        Series series;
        try (Progress progress = what.duration.isPresent()
                ? Progress.ofCount(invocation.terminal(), "seeds", -1)
                : Progress.ofCount(invocation.terminal(), "seeds", what.seeds)) {
            Seeds wanted = beyondBudget ? seeds.beyondBudget() : seeds;
            series = Series.run(wanted, goOn, outcome -> progress.step());
        }
        long nanos = System.nanoTime() - begun;
        series.failure().ifPresent(this::explain);
        List<String> missing = Reach.missing(series.situations());
        Output output = invocation.output();
        output.thing(new Fields()
                .with("seeds", series.runs())
                .with("fingerprint", Long.toHexString(series.fingerprint()))
                .with("events", series.events())
                .with("simulatedHours", series.virtualNanos() / NANOS_PER_HOUR)
                .with("seconds", nanos / NANOS_PER_SECOND)
                .with("simulatedHoursPerHour", series.speed(nanos))
                .with("appendsAcknowledged", series.appendsAcknowledged())
                .with(
                        "failedSeed",
                        series.failure().map(failure -> failure.plan().seed()))
                .withTexts(
                        "violations",
                        series.failure().stream()
                                .flatMap(failure -> failure.violations().stream())
                                .map(Violation::toString)
                                .toList())
                .with("faults", counts(series.faults()))
                .with("situations", counts(series.situations()))
                .withTexts("situationsMissing", missing));
        output.flush();
        return series.failure().isEmpty() && !(requireSituations && !missing.isEmpty());
    }

    private void explain(RunOutcome failure) {
        invocation.terminal().message(failure.describe());
        RunOutcome smaller = Simulation.shrink(failure, List.of(), SHRINKING_RUNS);
        invocation.terminal().message("---- smaller\n" + smaller.describe());
    }

    private static Fields counts(SortedMap<String, Long> counted) {
        Fields fields = new Fields();
        counted.forEach(fields::with);
        return fields;
    }

    private boolean hunt(Seeds seeds, int seedsMax) throws IOException {
        Output output = invocation.output();
        boolean foundAll = true;
        for (PlantedDefect defect : defects) {
            long begun = System.nanoTime();
            DefectHunt hunt = DefectHunt.begin(defect, seeds, runs -> runs < seedsMax);
            double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
            String check = hunt.found()
                    .map(outcome -> outcome.violations().get(0).check())
                    .orElse("not found");
            output.result(
                    String.format("%s, %.1f s", hunt, seconds),
                    new Fields()
                            .with("defect", defect.point())
                            .with("seeds", hunt.seeds())
                            .with("seconds", seconds)
                            .with("check", check));
            output.flush();
            foundAll &= hunt.found().isPresent();
        }
        return foundAll;
    }
}
