// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.simulation.plan.Plan.Habits;
import io.daybook.simulation.plan.Plan.Knobs;
import java.util.ArrayList;
import java.util.List;

/** Plans as text: one setting, lane or fault a line; {@code #} begins a comment line. */
final class PlanText {
    /** How Java begins to say that a name is none of an enumeration. */
    private static final String UNKNOWN_NAME = "No enum constant ";

    private final List<LanePlan> lanes = new ArrayList<>();
    private final List<StreamPlan> streams = new ArrayList<>();
    private final List<FaultItem> faults = new ArrayList<>();
    private final List<Knobs> knobs = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private Habits habits = Habits.PLAIN;
    private Spread spread = Spread.NONE;
    private long seed;
    private int bookies;
    private int recoverers;
    private long faultsMicros;

    private PlanText() {}

    static Plan parse(String text) {
        PlanText parsed = new PlanText();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i];
            if (!line.isBlank() && !line.startsWith("#")) {
                int number = i + 1;
                explained(number, line, () -> parsed.take(number, line));
            }
        }
        require(!parsed.knobs.isEmpty(), "a plan needs knobs");
        require(parsed.bookies > 0, "a plan needs bookies: 1 or more");
        require(parsed.recoverers > 0, "a plan needs recoverers: 1 or more");
        require(parsed.faultsMicros > 0, "a plan needs faultsMicros: 1 or more");
        require(!parsed.lanes.isEmpty(), "a plan needs a lane");
        parsed.checks.forEach(Runnable::run);
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

    private static void require(boolean isSo, String otherwise) {
        if (!isSo) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Says of what is wrong with a line which one it is. */
    private static void explained(int number, String line, Runnable use) {
        try {
            use.run();
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    "line " + number + ", '" + line + "': a number is missing: " + wrong.getMessage(), wrong);
        } catch (IllegalArgumentException wrong) {
            String message = String.valueOf(wrong.getMessage());
            String why = message.startsWith(UNKNOWN_NAME)
                    ? "there is no '" + message.substring(message.lastIndexOf('.') + 1) + "'"
                    : message;
            throw new IllegalArgumentException("line " + number + ", '" + line + "': " + why, wrong);
        }
    }

    /** Checks against the rest of the plan once it is read. */
    private void checkInTheEnd(int number, String line, Runnable check) {
        checks.add(() -> explained(number, line, check));
    }

    private void fits(int ensembleSize) {
        require(
                ensembleSize <= bookies,
                "an ensemble of " + ensembleSize + " does not fit into " + bookies + " bookies");
    }

    private void isThere(FaultItem fault) {
        int lane = fault.anchor().lane();
        require(
                lane >= FaultItem.Anchor.ENSEMBLE_CHANGES && lane < lanes.size(),
                "there is no lane " + lane + " for its anchor: the lanes are 0 to " + (lanes.size() - 1));
        require(fault.target() >= 0, "its target must be 0 or more");
    }

    private void take(int number, String line) {
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
            case "lane" -> {
                LanePlan lane = LanePlan.parse(value);
                lanes.add(lane);
                checkInTheEnd(number, line, () -> fits(lane.quorums().ensembleSize()));
            }
            case "spread" -> spread = Spread.parse(value);
            case "stream" -> {
                StreamPlan stream = StreamPlan.parse(value);
                streams.add(stream);
                checkInTheEnd(number, line, () -> fits(stream.quorums().ensembleSize()));
            }
            case "fault" -> {
                FaultItem fault = FaultItem.parse(value);
                faults.add(fault);
                checkInTheEnd(number, line, () -> isThere(fault));
            }
            default -> throw new IllegalArgumentException("it does not belong into a plan");
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
