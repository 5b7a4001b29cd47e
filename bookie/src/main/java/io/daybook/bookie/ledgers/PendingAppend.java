// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

/** Something that waits for room in the journal. On the core loop. */
interface PendingAppend {
    /** Tries again from the start; false when there is still no room. */
    boolean tryNow();

    /** The bookie stops: gives back what is held. */
    default void drop() {}
}
