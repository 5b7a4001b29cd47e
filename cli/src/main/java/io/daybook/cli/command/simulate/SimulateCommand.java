// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.CommandFailure;
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
import io.daybook.simulation.planted.DefectHunt;
import io.daybook.simulation.planted.HuntingGround;
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
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code daybook simulate}. */
@WithoutCluster
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
            description =
                    "The first seed of --seeds, --duration, --planted and --walks; the seed of --crash-points. Default: 1.")
    private long firstSeed;

    @Option(
            names = "--beyond-budget",
            description = "With --seed, --seeds or --duration: damage more copies than Daybook promises to survive."
                    + " Losses are allowed, but must be told honestly.")
    private boolean beyondBudget;

    @Option(
            names = "--ground",
            paramLabel = "NAME",
            description =
                    "With --seed, --seeds or --duration: draw plans around the situation in which some planted defects"
                            + " show. One of: ${COMPLETION-CANDIDATES}. Default: EVERYWHERE.")
    private HuntingGround ground = HuntingGround.EVERYWHERE;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description =
                    "With --seeds, --duration or --planted: how many runs are done at the same time. Default: one for"
                            + " each processor.")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--require-situations",
            description =
                    "With --seeds or --duration: fail also when one of the situations that are worth reaching was never reached.")
    private boolean requireSituations;

    @Option(
            names = "--defect",
            paramLabel = "NAME",
            description =
                    "Plant this defect in every run; with --planted: look for this one alone. May be repeated. One of:"
                            + " ${COMPLETION-CANDIDATES}.")
    private List<PlantedDefect> defects = List.of();

    @Option(
            names = "--trace",
            description = "With --seed or --plan: also print each call of the clients, the last events and the plan.")
    private boolean trace;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description =
                    "With --seed or --plan: write each call of the clients into a file, as 'daybook history check' reads"
                            + " them.")
    private Optional<Path> history = Optional.empty();

    @Spec
    private CommandSpec command = CommandSpec.create();

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
        RunKind kind = kind();
        kind.refuseIdle(command.commandLine().getParseResult()::hasMatchedOption);
        refuseUnlessPositive();
        Draw draw = new Draw(beyondBudget, ground, defects);
        boolean isGood = switch (kind) {
            case MODEL, WALKS ->
                Objects.requireNonNull(what.model, "the model is asked for").run(invocation, firstSeed);
            case CRASH_POINTS ->
                Objects.requireNonNull(what.crashPoints, "crash points are asked for")
                        .run(invocation, firstSeed);
            case PLAN -> one(plan(what.plan.orElseThrow()), draw);
            case SEED -> one(draw.plan(what.seed.orElseThrow()), draw);
            case PLANTED -> hunt(what.planted.orElseThrow());
            case SEEDS -> many(draw);
        };
        return isGood ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private RunKind kind() {
        if (what.model != null && what.model.isAsked()) {
            return what.model.isWalk() ? RunKind.WALKS : RunKind.MODEL;
        } else if (what.crashPoints != null && what.crashPoints.isAsked()) {
            return RunKind.CRASH_POINTS;
        } else if (what.plan.isPresent()) {
            return RunKind.PLAN;
        } else if (what.seed.isPresent()) {
            return RunKind.SEED;
        }
        return what.planted.isPresent() ? RunKind.PLANTED : RunKind.SEEDS;
    }

    /** What runs nothing finds nothing. */
    private void refuseUnlessPositive() {
        refuseIf(what.seeds < 1, "--seeds must be 1 or more, not " + what.seeds);
        refuseIf(what.planted.orElse(1) < 1, "--planted must be 1 or more, not " + what.planted.orElse(1));
        refuseIf(what.duration.filter(Duration.ZERO::equals).isPresent(), "--duration must be more than 0");
        refuseIf(what.duration.filter(Duration::isNegative).isPresent(), "--duration must be more than 0");
        refuseIf(workers < 1, "--workers must be 1 or more, not " + workers);
        refuseIf(
                beyondBudget && ground != HuntingGround.EVERYWHERE,
                "--beyond-budget draws plans of its own: leave out --ground");
    }

    private static void refuseIf(boolean isWrong, String why) {
        if (isWrong) {
            throw new CommandFailure(ExitCodes.USAGE, why, null);
        }
    }

    private static Plan plan(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        try {
            return Plan.parse(text);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure("'" + file + "' is not a plan: " + wrong.getMessage(), wrong);
        }
    }

    private boolean one(Plan plan, Draw draw) throws IOException {
        RunOutcome outcome = Simulation.run(plan, draw.points());
        if (history.isPresent()) {
            Files.write(
                    history.get(),
                    outcome.history().calls().stream().map(HistoryFormat::write).toList());
        }
        if (trace) {
            for (Call call : outcome.history().calls()) {
                invocation.terminal().message(HistoryFormat.write(call));
            }
        }
        if (trace || !outcome.isGood()) {
            invocation.terminal().message(outcome.describe(draw.defectOptions()));
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

    private boolean many(Draw draw) throws IOException {
        long begun = System.nanoTime();
        long deadline = begun + what.duration.map(Duration::toNanos).orElse(0L);
        IntPredicate goOn = what.duration.isPresent()
                ? runs -> runs == 0 || System.nanoTime() - deadline < 0
                : runs -> runs < what.seeds;
        Series series;
        try (WorkerThreads threads = new WorkerThreads(workers);
                Progress progress =
                        Progress.ofCount(invocation.terminal(), "seeds", what.duration.isPresent() ? -1 : what.seeds)) {
            Seeds seeds = Seeds.from(firstSeed)
                    .on(threads.workers())
                    .withDefects(draw.points())
                    .drawnBy(draw::plan);
            series = Series.run(seeds, goOn, outcome -> progress.step());
        }
        long nanos = System.nanoTime() - begun;
        series.failure().ifPresent(failure -> explain(failure, draw));
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

    private void explain(RunOutcome failure, Draw draw) {
        invocation.terminal().message(failure.describe(draw.defectOptions()));
        if (ground != HuntingGround.EVERYWHERE) {
            invocation
                    .terminal()
                    .message("or, drawn again,\n" + draw.again(failure.plan().seed()));
        }
        RunOutcome smaller;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "smaller plans", SHRINKING_RUNS)) {
            smaller = Simulation.shrink(failure, draw.points(), runs -> {
                progress.step();
                return runs < SHRINKING_RUNS;
            });
        }
        invocation.terminal().message("---- smaller\n" + smaller.describe(draw.defectOptions()));
    }

    private static Fields counts(SortedMap<String, Long> counted) {
        Fields fields = new Fields();
        counted.forEach(fields::with);
        return fields;
    }

    private boolean hunt(int seedsMax) throws IOException {
        boolean foundAll = true;
        try (WorkerThreads threads = new WorkerThreads(workers)) {
            Seeds seeds = Seeds.from(firstSeed).on(threads.workers());
            for (PlantedDefect defect : defects.isEmpty() ? List.of(PlantedDefect.values()) : defects) {
                foundAll &= hunt(defect, seeds, seedsMax);
            }
        }
        return foundAll;
    }

    private boolean hunt(PlantedDefect defect, Seeds seeds, int seedsMax) throws IOException {
        long begun = System.nanoTime();
        DefectHunt hunt;
        try (Progress progress = Progress.ofCount(invocation.terminal(), defect + " seeds", seedsMax)) {
            hunt = DefectHunt.begin(defect, seeds, runs -> {
                progress.step();
                return runs < seedsMax;
            });
        }
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        Draw draw = new Draw(false, defect.ground(), List.of(defect));
        Optional<Long> seed = hunt.failure().map(outcome -> outcome.plan().seed());
        String again = seed.map(number -> "; again: " + draw.again(number)).orElse("");
        hunt.withoutDefect()
                .filter(outcome -> !outcome.isGood())
                .ifPresent(outcome -> invocation.terminal().message(outcome.describe()));
        Output output = invocation.output();
        output.result(
                String.format("%s, %.1f s%s", hunt, seconds, again),
                new Fields()
                        .with("defect", defect.name())
                        .with("ground", defect.ground().name())
                        .with("seeds", hunt.seeds())
                        .with("seed", seed)
                        .with("seconds", seconds)
                        .with("found", hunt.isFound())
                        .with(
                                "check",
                                hunt.failure()
                                        .map(outcome ->
                                                outcome.violations().get(0).check())
                                        .orElse("none")));
        output.flush();
        return hunt.isFound();
    }
}
