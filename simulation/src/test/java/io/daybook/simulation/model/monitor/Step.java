// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.simulation.model.StepKind;

/** One step of the model with its numbers, as its kind describes them. */
record Step(StepKind kind, int first, int second, int third) {
    @Override
    public String toString() {
        return kind.describe(first, second, third);
    }
}
