// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** What can happen in one step. In the texts {@code %1$d}, {@code %2$d} and {@code %3$d} are the step's numbers. */
public enum StepKind {
    SEND("writer sends entry %1$d"),
    STORE("b%1$d stores entry %2$d and answers the writer"),
    ACKNOWLEDGE("writer acknowledges entry %1$d"),
    BEGIN_CHANGE("writer wants b%2$d instead of b%1$d from entry %3$d on"),
    ABANDON_CHANGE("writer learns that its change was not made"),
    WRITE_CHANGE("metadata takes the writer's ensemble"),
    LEARN_CHANGE(
            "writer learns that metadata holds its ensemble; it forgets what replaced members stored and sends again"),
    WRITER_CLOSES("writer closes the ledger with %1$d entries"),
    PUBLISH("b%1$d takes the published confirmation of %2$d entries"),
    FENCE("b%1$d is fenced"),
    WIPE("b%1$d loses everything"),
    READ("a reader is given entry %1$d"),
    BEGIN_RECOVERY("r%1$d marks the ledger as in recovery"),
    JOIN_RECOVERY("r%1$d finds the ledger in recovery and joins"),
    SEARCH("r%1$d: fences cover every write set; it looks from entry %2$d on"),
    PRESENT("r%1$d is given entry %2$d, which exists, and sends copies"),
    ABSENT("r%1$d has enough denials of entry %2$d: the end is before it"),
    COPY("b%1$d stores the copy of entry %2$d from r%3$d"),
    COPIED("r%1$d has enough copies of entry %2$d"),
    REPLACE("r%1$d takes b%3$d instead of b%2$d, for itself"),
    RECOVERY_CLOSES("r%1$d closes the ledger with %2$d entries"),
    BEGIN_AGAIN("r%1$d finds other metadata than it began with and begins again");

    private final String text;

    StepKind(String text) {
        this.text = text;
    }

    /** The step in words. */
    public String describe(int first, int second, int third) {
        return String.format(text, first, second, third);
    }
}
