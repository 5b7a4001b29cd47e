// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.explore;

import io.daybook.simulation.model.Property;
import java.util.List;

/**
 * How something that must hold comes to be broken.
 *
 * @param property what is broken
 * @param steps each step with the state after it, in words
 */
public record Counterexample(Property property, List<String> steps) {
    /** Copies the list. */
    public Counterexample {
        steps = List.copyOf(steps);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(String.format("%3d %s%n", i, steps.get(i)));
        }
        return text.append(property.broken()).append('\n').toString();
    }
}
