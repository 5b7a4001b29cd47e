// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.simulation.model.ModelConfig;
import io.daybook.simulation.model.ModelState;
import io.daybook.simulation.model.Property;
import io.daybook.simulation.model.ProtocolModel;
import io.daybook.simulation.model.StepKind;
import io.daybook.simulation.model.explore.RandomWalk;
import io.daybook.testkit.check.Violation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Counts what was seen of many steps of the model, and keeps what was refused. */
final class Tally {
    private static final String NUMBERS = "-?\\b([0-9a-f]{8}|[0-9]+)\\b";

    private final Map<StepKind, Integer> steps = new EnumMap<>(StepKind.class);
    private final Map<Sight, Integer> sights = new EnumMap<>(Sight.class);
    private final Set<String> refusals = new TreeSet<>();

    /** How often each kind of step was taken. */
    Map<StepKind, Integer> steps() {
        return steps;
    }

    /** How often each thing was seen. */
    Map<Sight, Integer> sights() {
        return sights;
    }

    /** The refusals, their ids and numbers left out. */
    Set<String> refusals() {
        return refusals;
    }

    /** What was broken by what was refused. */
    Set<Property> properties() {
        return refusals.stream()
                .map(text -> Property.valueOf(text.substring(0, text.indexOf(':'))))
                .collect(Collectors.toSet());
    }

    void saw(Sight sight) {
        sights.merge(sight, 1, Integer::sum);
    }

    /** Lets a ledger see a step. */
    void see(SeenLedger ledger, Step step, ModelState before, ModelState after) {
        steps.merge(step.kind(), 1, Integer::sum);
        ledger.see(step, before, after);
        ledger.refusals().forEach(refusal -> refusals.add(refusal.text().replaceAll(NUMBERS, "#")));
    }

    /**
     * What came of one walk.
     *
     * @param broken what the model says is broken at its end
     * @param refusals what the trace said at the first step that it refused; nothing is seen after that
     */
    record Walk(Optional<Property> broken, List<Violation> refusals) {}

    /** The walk of that number, of which the steps that are hidden are not seen. */
    Walk walk(ModelConfig config, int number, Predicate<Step> isHidden) {
        ProtocolModel model = new ProtocolModel(config);
        ModelState before = model.initial();
        SeenLedger ledger = new SeenLedger(model.shape(), this::saw);
        Optional<Property> broken = RandomWalk.follow(config, 1, number, (kind, first, second, third, after) -> {
            Step step = new Step(kind, first, second, third);
            if (ledger.refusals().isEmpty() && !isHidden.test(step)) {
                see(ledger, step, before, after);
            }
            before.becomeWhole(after);
        });
        return new Walk(broken, ledger.refusals());
    }
}
