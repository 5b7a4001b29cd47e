// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.List;
import java.util.function.IntPredicate;

/** Runs plans: one, many, or smaller and smaller ones until nothing can be left out of a failure any more. Reads and writes nothing. */
public final class Simulation {
    private Simulation() {}

    /** The run of a seed. */
    public static RunOutcome ofSeed(long seed) {
        return run(PlanDraw.draw(seed), List.of());
    }

    /** The run of a plan, with defects planted. */
    public static RunOutcome run(Plan plan, List<String> defects) {
        // A process that crashes in a simulation gives nothing back, which is no leak.
        ResourceLeakDetector.setLevel(Level.DISABLED);
        return SimulationRun.of(plan, defects);
    }

    /**
     * Leaves out faults, habits, streams and ledgers of a failed run as long as it fails in the same way; {@code goOn} is told before each run how many there
     * were, and says whether to go on.
     */
    public static RunOutcome shrink(RunOutcome failed, List<String> defects, IntPredicate goOn) {
        return new Shrinking(failed, defects, goOn).run();
    }
}
