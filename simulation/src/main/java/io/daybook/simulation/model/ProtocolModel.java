// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** The ledger protocol as a relation between states: where it begins and what may happen next. */
public final class ProtocolModel {
    private final ModelShape shape;

    /** With these constants. */
    public ProtocolModel(ModelConfig config) {
        this.shape = new ModelShape(config);
    }

    /** Where its variables lie. */
    public ModelShape shape() {
        return shape;
    }

    /** The only first state. */
    public ModelState initial() {
        ModelState state = ModelState.initial(shape);
        NormalForm.settle(state);
        return state;
    }

    /** Hands every next state to the sink; returns how many there were. */
    public int next(ModelState from, Steps.Sink sink) {
        Steps steps = new Steps(from, sink);
        WriterSteps.take(steps);
        BookieSteps.take(steps);
        RecoverySteps.take(steps);
        return steps.count();
    }

    /** Whether a state without a next one is as it should be: with bookies lost for ever, an end cannot always be decided. */
    public boolean mayEnd(ModelState state) {
        return state.isMetadata(ModelShape.CLOSED) || shape.config.freedom().wipes() > 0 || shape.recoverers == 0;
    }
}
