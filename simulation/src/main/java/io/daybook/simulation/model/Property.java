// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** What must hold, by the ids of docs/INVARIANTS.md. */
public enum Property {
    /** Acknowledged entries, and all of a closed ledger, have an ack quorum of copies on the bookies that metadata names. */
    L2("an entry that is acknowledged, or below a closed end, lacks copies on the bookies that metadata names"),
    /** A closed end lies at or above everything acknowledged, before and after. */
    L3("the ledger is closed below an entry that was acknowledged"),
    /** An entry that nobody held when fences covered every write set is never acknowledged. */
    L5("an entry is acknowledged that no bookie held when fences covered every write set"),
    /** Who denied an entry to a recoverer never stores it by a normal add. */
    L6("a bookie stores by a normal add what it denied to a recoverer"),
    /** Fragments begin at 0, rise, and end no later than right behind the closed end. */
    L8("the fragments of the ledger are out of order"),
    /** Nothing is acknowledged from the first entry of an ensemble change on before that is settled. */
    L9("an entry is acknowledged that an unsettled ensemble change moves elsewhere"),
    /** No bookie holds a last add confirmed above the writer's own, or above the closed end. */
    L10("a bookie tells a last add confirmed that the writer does not know"),
    /** What a reader was given stays in the ledger. */
    L11("a reader was given an entry beyond the closed end"),
    /** All copies of an entry are the same bytes. */
    L12("two copies of an entry differ"),
    /** There is always a way on until the ledger is closed. */
    V2("nobody can do anything more and the ledger is not closed");

    private final String meaning;

    Property(String meaning) {
        this.meaning = meaning;
    }

    /** What is wrong when it is broken, in one line. */
    public String broken() {
        return name() + ": " + meaning;
    }
}
