// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

/** Stops the links that carry adds while there is no slab for them, and lets them go on. On the core loop. */
@FunctionalInterface
public interface AppendGate {
    /** Takes no more from append links, or takes from them again. */
    void stopAppends(boolean stops);
}
