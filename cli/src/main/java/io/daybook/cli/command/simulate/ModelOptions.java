// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.metadata.model.Quorums;
import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelConfig.Freedom;
import io.daybook.simulation.model.ModelDefect;
import io.daybook.simulation.model.ModelSituation;
import io.daybook.simulation.model.explore.Counterexample;
import io.daybook.simulation.model.explore.Exploration;
import io.daybook.simulation.model.explore.RandomWalk;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code daybook simulate --model}: goes through the model of the ledger protocol instead of running the program. */
final class ModelOptions {
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--model",
            required = true,
            description =
                    "Visit every state of the model of the ledger protocol (docs/protocol.md), or with --walks go through it"
                            + " at random from --first-seed on.")
    private boolean model;

    @Option(
            names = "--walks",
            paramLabel = "N",
            description = "With --model: N random walks, for constants too large to visit every state.")
    private Optional<Integer> walks = Optional.empty();

    @Option(
            names = "--entries",
            paramLabel = "N",
            description = "With --model: entries that the writer sends. Default: 2.")
    private int entries = 2;

    @Option(names = "--ensemble", paramLabel = "N", description = "With --model: E. Default: 3.")
    private int ensemble = 3;

    @Option(names = "--write-quorum", paramLabel = "N", description = "With --model: Qw. Default: 3.")
    private int writeQuorum = 3;

    @Option(names = "--ack-quorum", paramLabel = "N", description = "With --model: Qa. Default: 2.")
    private int ackQuorum = 2;

    @Option(names = "--bookies", paramLabel = "N", description = "With --model: bookies. Default: 4.")
    private int bookies = 4;

    @Option(names = "--recoverers", paramLabel = "N", description = "With --model: recoverers. Default: 1.")
    private int recoverers = 1;

    @Option(
            names = "--writer-changes",
            paramLabel = "N",
            description = "With --model: ensemble changes of the writer. Default: 1.")
    private int writerChanges = 1;

    @Option(
            names = "--recovery-changes",
            paramLabel = "N",
            description = "With --model: bookies that each recoverer may replace, 0 or 1. Default: 1.")
    private int recoveryChanges = 1;

    @Option(
            names = "--wipes",
            paramLabel = "N",
            description = "With --model: bookies that may be lost for ever, at most Qa - 1. Default: 0.")
    private int wipes;

    @Option(names = "--readers", description = "With --model: also keep what readers are told and given (L10, L11).")
    private boolean readers;

    @Option(
            names = "--without",
            paramLabel = "DEFECT",
            description = "With --model: leave out a rule of the protocol: ${COMPLETION-CANDIDATES}.")
    private Optional<ModelDefect> without = Optional.empty();

    @Option(
            names = "--states-max",
            paramLabel = "N",
            description = "With --model: give up after so many states; a million needs about 100 MB. Default: 5000000.")
    private int statesMax = 5_000_000;

    /** Whether the model is what is to be run. */
    boolean isAsked() {
        return model;
    }

    /** Whether it is gone through at random. */
    boolean isWalk() {
        return walks.isPresent();
    }

    /** Goes through the model; returns whether nothing is broken and nothing was left out. */
    boolean run(Invocation invocation, long firstSeed) throws IOException {
        ModelConfig config = config();
        return walks.isPresent() ? walk(invocation, config, firstSeed) : explore(invocation, config);
    }

    private ModelConfig config() {
        try {
            Quorums quorums = new Quorums(ensemble, writeQuorum, ackQuorum);
            Freedom freedom = new Freedom(writerChanges, recoveryChanges, wipes, readers);
            ModelConfig config = new ModelConfig(quorums, entries, bookies, recoverers, freedom);
            return without.map(config::without).orElse(config);
        } catch (IllegalArgumentException refusal) {
            throw new CommandFailure(ExitCodes.USAGE, "no such model: " + refusal.getMessage(), refusal);
        }
    }

    private boolean explore(Invocation invocation, ModelConfig config) throws IOException {
        long began = System.nanoTime();
        Exploration.Result result;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "states", -1)) {
            int[] shown = {0};
            result = Exploration.of(config, states -> {
                progress.steps(states - shown[0]);
                shown[0] = states;
                return states < statesMax;
            });
        }
        Fields fields = new Fields()
                .with("model", config.toString())
                .with("complete", result.isComplete())
                .with("states", result.states())
                .with("steps", result.transitions())
                .with("depth", result.depth());
        return tell(invocation, fields, result.reached(), result.counterexample(), began) && result.isComplete();
    }

    private boolean walk(Invocation invocation, ModelConfig config, long seed) throws IOException {
        long began = System.nanoTime();
        int count = walks.orElse(0);
        RandomWalk.Result result;
        try (Progress progress = Progress.ofCount(invocation.terminal(), "walks", count)) {
            result = RandomWalk.of(config, seed, done -> {
                progress.step();
                return done < count;
            });
        }
        Fields fields = new Fields()
                .with("model", config.toString())
                .with("seed", seed)
                .with("walks", result.walks())
                .with("steps", result.steps());
        return tell(invocation, fields, result.reached(), result.counterexample(), began);
    }

    private static boolean tell(
            Invocation invocation,
            Fields fields,
            EnumSet<ModelSituation> reached,
            Optional<Counterexample> counterexample,
            long beganNanos)
            throws IOException {
        fields.with("seconds", (System.nanoTime() - beganNanos) / NANOS_PER_SECOND)
                .withTexts(
                        "situations", reached.stream().map(ModelSituation::name).toList());
        counterexample.ifPresent(found -> {
            fields.with("broken", found.property().name());
            fields.withTexts("trace", found.steps());
            invocation.terminal().message(found.toString());
        });
        Output output = invocation.output();
        output.thing(fields);
        output.flush();
        return counterexample.isEmpty();
    }
}
