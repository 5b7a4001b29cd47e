// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

/** Something to do once everything staged before is on the device: an acknowledgement, an answer. Called on the core loop. */
@FunctionalInterface
public interface Durable {
    /** The records staged before are durable (B1, B2). Not called at all when the journal failed (B10). */
    void durable();
}
