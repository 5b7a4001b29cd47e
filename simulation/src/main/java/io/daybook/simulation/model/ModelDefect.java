// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/** A rule of the protocol left out, to see that the model finds what it prevents. The numbers are those of docs/INVARIANTS.md. */
public enum ModelDefect {
    /** Recovery reads do not fence, so a denial need not stay true. */
    D1,
    /** Recovery starts below the last fragment. */
    D2,
    /** One denial proves absence. */
    D3,
    /** Recovery stores its ensemble change before its copies are complete. */
    D4,
    /** Recovery reads from the ensemble that it has changed. */
    D5,
    /** Recovery raises the last add confirmed in the entries that it copies. */
    D6,
    /** The writer uses an ensemble, and acknowledges, before metadata holds it. */
    D7,
    /** The writer acknowledges during an ensemble change and counts what replaced members stored. */
    D8,
    /** A bookie that lost everything keeps its identity: it denies entries that it had and takes adds for a fenced ledger. */
    D9
}
