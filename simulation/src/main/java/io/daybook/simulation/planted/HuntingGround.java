// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.planted;

import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.FaultItem;
import io.daybook.simulation.plan.FaultItem.Anchor;
import io.daybook.simulation.plan.FaultKind;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Habits;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.simulation.plan.Spread;
import io.daybook.simulation.plan.StreamPlan;
import io.daybook.simulation.plan.StreamWays;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a defect is looked for: plans that are drawn from seeds around the situation in which it shows. The ground says what happens, never how the defect
 * would answer; what is checked is the same everywhere.
 */
public enum HuntingGround {
    /** The plans of all runs. */
    EVERYWHERE,
    /** Ledger after ledger whose ensemble changes while it is taken over, by two who hinder each other, with bookies to spare. */
    TAKE_OVERS,
    /** Large entries, and bookies that lose power inside their commits. */
    TORN_COMMITS,
    /** A stream that is deleted and made again all the time, by programs that pause and lose the metadata store in the midst of it. */
    DELETIONS,
    /** A stream that is renamed, mostly back, all the time, by programs that pause and lose the metadata store in the midst of it. */
    RENAMES,
    /** A stream that is deleted and renamed all the time, under whatever name it has, by programs that pause and lose the metadata store in the midst of it. */
    DELETIONS_AND_RENAMES;

    /** The plan of a seed. */
    public Plan plan(long seed) {
        return switch (this) {
            case EVERYWHERE -> PlanDraw.draw(seed);
            case TAKE_OVERS -> new Draw(seed).takeOvers();
            case TORN_COMMITS -> new Draw(seed).tornCommits();
            case DELETIONS -> new Draw(seed).lives(Draw.LIVES, 0);
            case RENAMES -> new Draw(seed).lives(0, Draw.LIVES);
            case DELETIONS_AND_RENAMES -> new Draw(seed).lives(Draw.LIVES / 3, 2 * Draw.LIVES);
        };
    }

    /** One plan while it is drawn. */
    private static final class Draw {
        private static final int SESSIONS = 12;
        private static final int APPENDS = 60;
        private static final int LIVES = 30;
        private static final long FAULTS_MICROS = 3_000_000;

        private final long seed;
        private final SimulatedRandom random;
        private final List<FaultItem> faults = new ArrayList<>();
        private Anchor anchor = Anchor.BEGINNING;

        private Draw(long seed) {
            this.seed = seed;
            this.random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("ground"));
        }

        private int below(int bound) {
            return (int) random.nextBelow(bound);
        }

        private int oneOf(int... choices) {
            return choices[below(choices.length)];
        }

        private void fault(FaultKind kind, int target, long forMicros, long parameter) {
            long at = random.nextBelow(oneOf(500, 3_000, 15_000));
            faults.add(new FaultItem(kind, anchor, at, target, forMicros, parameter));
        }

        private Plan plan(int bookies, Knobs knobs, LanePlan lane, StreamPlan... streams) {
            return new Plan(
                    seed,
                    bookies,
                    2,
                    knobs,
                    Habits.PLAIN,
                    List.of(lane),
                    List.of(streams),
                    Spread.NONE,
                    FAULTS_MICROS,
                    faults);
        }

        private Plan takeOvers() {
            int bookies = 5 + below(2);
            Quorums quorums = List.of(new Quorums(3, 3, 2), new Quorums(2, 2, 2), new Quorums(3, 3, 3))
                    .get(below(3));
            for (int session = 0; session < SESSIONS; session++) {
                anchor = new Anchor(0, 1 + session * APPENDS + below(APPENDS));
                takeOver(bookies);
            }
            Knobs knobs = new Knobs(
                    64 * 1024,
                    3,
                    1000,
                    16 * 1024,
                    1000,
                    oneOf(200, 500),
                    oneOf(60, 200),
                    oneOf(50, 200, 1000),
                    oneOf(100, 400),
                    oneOf(200, 1000, 10_000),
                    0,
                    0,
                    1,
                    0,
                    0,
                    0,
                    1);
            return plan(bookies, knobs, lane(quorums, 100));
        }

        private LanePlan lane(Quorums quorums, int payloadBytesMax) {
            return new LanePlan(
                    quorums,
                    SESSIONS,
                    APPENDS,
                    oneOf(4, 16, 60),
                    0,
                    payloadBytesMax,
                    LanePlan.ALONE,
                    0,
                    LanePlan.ANY_ID,
                    List.of());
        }

        private void takeOver(int bookies) {
            int first = below(bookies);
            fault(FaultKind.KILL_BOOKIE, first, 20_000 + below(300_000), 0);
            if (below(2) == 0) {
                fault(FaultKind.KILL_BOOKIE, (first + 1) % bookies, 20_000 + below(300_000), 0);
            }
            for (int bookie = 0; bookie < bookies; bookie++) {
                if (below(2) == 0) {
                    long latencyMicros = oneOf(1_000, 5_000, 30_000);
                    fault(FaultKind.SLOW_PAIR, bookie, 50_000, below(3) + 256 * latencyMicros);
                }
            }
            switch (below(4)) {
                case 0 -> fault(FaultKind.CRASH_WRITER, 0, 50_000, 0);
                case 1 -> fault(FaultKind.PAUSE_WRITER, 0, below(100_000), 0);
                case 2 -> fault(FaultKind.METADATA_CUT, 0, below(100_000), 0);
                default -> {}
            }
            fault(FaultKind.RECOVER, 0, 0, 0);
            if (below(2) == 0) {
                FaultKind kind = below(2) == 0 ? FaultKind.PAUSE_RECOVERER : FaultKind.CRASH_RECOVERER;
                fault(kind, 0, below(200_000), 0);
            }
            fault(FaultKind.RECOVER, 0, 0, 1);
        }

        private Plan lives(int deletions, int renames) {
            for (int i = 0; i < SESSIONS; i++) {
                long at = random.nextBelow(FAULTS_MICROS);
                long forMicros = 10_000 + random.nextBelow(300_000);
                FaultKind kind = List.of(FaultKind.PAUSE_RECOVERER, FaultKind.CRASH_RECOVERER, FaultKind.METADATA_CUT)
                        .get(below(3));
                long client = kind == FaultKind.METADATA_CUT ? 1 : 0;
                faults.add(new FaultItem(kind, Anchor.BEGINNING, at, 0, forMicros, client));
            }
            Knobs knobs = new Knobs(
                    64 * 1024,
                    3,
                    1000,
                    16 * 1024,
                    1000,
                    500,
                    200,
                    oneOf(50, 200),
                    oneOf(100, 400),
                    oneOf(1000, 10_000),
                    0,
                    0,
                    1,
                    0,
                    0,
                    0,
                    1);
            StreamPlan stream = new StreamPlan(
                    new Quorums(2, 2, 2),
                    2,
                    APPENDS,
                    1,
                    FAULTS_MICROS / APPENDS,
                    100,
                    100,
                    TransactionIdMode.NON_DECREASING,
                    Compression.NONE,
                    0,
                    false,
                    deletions,
                    1,
                    renames,
                    StreamWays.NONE);
            return plan(3, knobs, lane(new Quorums(2, 2, 2), 100), stream);
        }

        private Plan tornCommits() {
            int bookies = 3;
            for (int session = 0; session < SESSIONS; session++) {
                anchor = new Anchor(0, 1 + session * APPENDS + below(APPENDS));
                fault(FaultKind.CRASH_BOOKIE, below(bookies), 1_000, 0);
                fault(FaultKind.RESET, below(bookies), 0, 0);
            }
            Knobs knobs = new Knobs(
                    64 * 1024,
                    3,
                    1000,
                    256 * 1024,
                    5000,
                    500,
                    500,
                    oneOf(50, 200),
                    oneOf(400, 2000),
                    200,
                    0,
                    0,
                    1,
                    0,
                    0,
                    0,
                    1);
            return plan(bookies, knobs, lane(new Quorums(3, 3, oneOf(1, 2, 3)), 4000));
        }
    }
}
