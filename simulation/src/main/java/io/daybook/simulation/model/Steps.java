// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** Where the next steps of one state are put together: each is a change of a fresh copy, brought into normal form and checked. */
public final class Steps {
    /** Gets each step; the state is valid during the call only. */
    @FunctionalInterface
    public interface Sink {
        /** One step; what its numbers mean is told by its kind. */
        void taken(StepKind kind, int first, int second, int third, ModelState next);
    }

    private final ModelState from;
    private final ModelState next;
    private final Sink sink;
    private int count;

    Steps(ModelState from, Sink sink) {
        this.from = from;
        this.next = from.copy();
        this.sink = sink;
    }

    /** The state in which the steps are taken. */
    ModelState from() {
        return from;
    }

    /** Begins a step: the copy to change. */
    ModelState begin() {
        next.become(from);
        return next;
    }

    /** Ends the step begun last. */
    void end(StepKind kind, int first, int second, int third) {
        NormalForm.settle(next);
        StateChecks.check(next);
        count++;
        sink.taken(kind, first, second, third, next);
    }

    int count() {
        return count;
    }
}
