// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

/** Something with deadlines, looked at by the one coarse timer of its loop. */
public interface Ticking {
    /** Looks at the time; returns whether it wants to be called again. */
    boolean tick(long nowNanos);
}
