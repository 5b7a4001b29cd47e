// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

/** The fault points of the bookie's answers: each re-plants a known defect of systems of this kind (docs/INVARIANTS.md), so that the simulator can prove that it finds it. */
public final class Defects {
    /** A bookie that lost part of its journal goes on as if nothing were missing. */
    public static final String AMNESIA = "D9-amnesia";
    /** What cannot be read is called absent. */
    public static final String UNREADABLE_IS_ABSENT = "D10-unreadable-is-absent";
    /** An add that waited for room is not checked for a fence again. */
    public static final String FENCE_ADD_RACE = "D11-fence-add-race";
    /** An add with deferred sync is told to be durable when it is only taken. */
    public static final String ACCEPTED_IS_DURABLE = "D21-accepted-is-durable";

    private Defects() {}
}
