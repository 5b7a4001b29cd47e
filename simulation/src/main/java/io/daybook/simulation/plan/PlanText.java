// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.simulation.plan.Plan.Habits;
import io.daybook.simulation.plan.Plan.Knobs;
import java.util.ArrayList;
import java.util.List;

/** Plans as text: one setting, lane or fault a line; {@code #} begins a comment line. */
final class PlanText {
    private final List<LanePlan> lanes = new ArrayList<>();
    private final List<StreamPlan> streams = new ArrayList<>();
    private final List<FaultItem> faults = new ArrayList<>();
    private final List<Knobs> knobs = new ArrayList<>();
    private Habits habits = Habits.PLAIN;
    private Spread spread = Spread.NONE;
    private long seed;
    private int bookies;
    private int recoverers;
    private long faultsMicros;

    private PlanText() {}

    static Plan parse(String text) {
        PlanText parsed = new PlanText();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                parsed.take(line);
            }
        }
        if (parsed.knobs.isEmpty()) {
            throw new IllegalArgumentException("a plan needs knobs");
        }
        return new Plan(
                parsed.seed,
                parsed.bookies,
                parsed.recoverers,
                parsed.knobs.get(0),
                parsed.habits,
                parsed.lanes,
                parsed.streams,
                parsed.spread,
                parsed.faultsMicros,
                parsed.faults);
    }

    private void take(String line) {
        int equals = line.indexOf('=');
        String name = line.substring(0, Math.max(0, equals)).trim();
        String value = line.substring(equals + 1).trim();
        switch (name) {
            case "seed" -> seed = Long.parseLong(value);
            case "bookies" -> bookies = Integer.parseInt(value);
            case "recoverers" -> recoverers = Integer.parseInt(value);
            case "faultsMicros" -> faultsMicros = Long.parseLong(value);
            case "knobs" -> knobs.add(Knobs.parse(value));
            case "priorities" -> habits = habits.with(Priorities.parse(value));
            case "operations" -> habits = habits.with(operations(value));
            case "beyondBudget" ->
                habits = new Habits(habits.priorities(), habits.operations(), Boolean.parseBoolean(value));
            case "lane" -> lanes.add(LanePlan.parse(value));
            case "spread" -> spread = Spread.parse(value);
            case "stream" -> streams.add(StreamPlan.parse(value));
            case "fault" -> faults.add(FaultItem.parse(value));
            default -> throw new IllegalArgumentException("'" + line + "' does not belong into a plan");
        }
    }

    private static List<Operation> operations(String text) {
        List<Operation> operations = new ArrayList<>();
        for (String name : text.split(" +", -1)) {
            if (!name.isEmpty()) {
                operations.add(Operation.valueOf(name));
            }
        }
        return operations;
    }

    static String write(Plan plan) {
        StringBuilder text = new StringBuilder();
        text.append("seed = ").append(plan.seed()).append('\n');
        text.append("bookies = ").append(plan.bookies()).append('\n');
        text.append("recoverers = ").append(plan.recoverers()).append('\n');
        text.append("knobs = ").append(plan.knobs()).append('\n');
        Habits habits = plan.habits();
        text.append("priorities = ").append(habits.priorities()).append('\n');
        text.append("operations =");
        habits.operations().forEach(operation -> text.append(' ').append(operation));
        text.append('\n');
        if (habits.isBeyondBudget()) {
            text.append("beyondBudget = true\n");
        }
        plan.lanes().forEach(lane -> text.append("lane = ").append(lane).append('\n'));
        plan.streams().forEach(stream -> text.append("stream = ").append(stream).append('\n'));
        if (!plan.spread().equals(Spread.NONE)) {
            text.append("spread = ").append(plan.spread()).append('\n');
        }
        text.append("faultsMicros = ").append(plan.faultsMicros()).append('\n');
        plan.faults().forEach(fault -> text.append("fault = ").append(fault).append('\n'));
        return text.toString();
    }
}
