// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** Where a ledger is in its life. Only forward, never back (L4). */
public enum LedgerState {
    /** One writer may append. */
    OPEN,
    /** Somebody is deciding the end; the writer is or will be fenced. */
    IN_RECOVERY,
    /** The end is decided for ever. */
    CLOSED
}
