// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What {@code daybook simulate} is asked to run. */
enum RunKind {
    /** Seed after seed. */
    SEEDS("--seeds/--duration"),
    /** The plan of one seed. */
    SEED("--seed"),
    /** The plan in a file. */
    PLAN("--plan"),
    /** A hunt for planted defects. */
    PLANTED("--planted"),
    /** Every state of the model. */
    MODEL("--model"),
    /** Random walks through the model. */
    WALKS("--model with --walks"),
    /** The crash points of one bookie. */
    CRASH_POINTS("--crash-points");

    /** Options that mean something for some kinds of runs only. */
    private static final List<Limited> LIMITED = List.of(
            new Limited("--first-seed", List.of(SEEDS, PLANTED, WALKS, CRASH_POINTS)),
            new Limited("--beyond-budget", List.of(SEEDS, SEED)),
            new Limited("--ground", List.of(SEEDS, SEED)),
            new Limited("--workers", List.of(SEEDS, PLANTED)),
            new Limited("--require-situations", List.of(SEEDS)),
            new Limited("--defect", List.of(SEEDS, SEED, PLAN, PLANTED)),
            new Limited("--trace", List.of(SEED, PLAN)),
            new Limited("--history", List.of(SEED, PLAN)));

    private final String asked;

    RunKind(String asked) {
        this.asked = asked;
    }

    private record Limited(String option, List<RunKind> kinds) {}

    /** Refuses an option that would do nothing here; throws {@link CommandFailure}. */
    void refuseIdle(Predicate<String> isGiven) {
        LIMITED.stream()
                .filter(limited -> isGiven.test(limited.option) && !limited.kinds.contains(this))
                .findFirst()
                .ifPresent(limited -> {
                    String kinds =
                            limited.kinds.stream().map(kind -> kind.asked).collect(Collectors.joining(" or "));
                    throw new CommandFailure(
                            ExitCodes.USAGE,
                            limited.option + " does nothing with " + asked + ": use it with " + kinds,
                            null);
                });
    }
}
