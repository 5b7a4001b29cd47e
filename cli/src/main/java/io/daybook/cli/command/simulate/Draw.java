// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.simulate;

import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.PlanDraw;
import io.daybook.simulation.planted.HuntingGround;
import io.daybook.simulation.planted.PlantedDefect;
import java.util.List;

/**
 * How plans are drawn from seeds, and what is planted in their runs.
 *
 * @param isBeyondBudget whether more may be damaged than Daybook promises to survive
 * @param ground where plans are drawn when it is not beyond the budget
 * @param defects what is planted
 */
record Draw(boolean isBeyondBudget, HuntingGround ground, List<PlantedDefect> defects) {
    /** Copies the list. */
    Draw {
        defects = List.copyOf(defects);
    }

    Plan plan(long seed) {
        return isBeyondBudget ? PlanDraw.drawBeyondBudget(seed) : ground.plan(seed);
    }

    /** The points at which its defects are planted. */
    List<String> points() {
        return defects.stream().map(PlantedDefect::point).toList();
    }

    /** The options that plant its defects again, each after a space. */
    String defectOptions() {
        StringBuilder options = new StringBuilder();
        defects.forEach(defect -> options.append(" --defect ").append(defect));
        return options.toString();
    }

    /** The command that draws the plan of a seed again. */
    String again(long seed) {
        String drawn = isBeyondBudget ? " --beyond-budget" : "";
        String from = ground == HuntingGround.EVERYWHERE ? "" : " --ground " + ground;
        return "bin/daybook simulate --seed " + seed + drawn + from + defectOptions();
    }
}
