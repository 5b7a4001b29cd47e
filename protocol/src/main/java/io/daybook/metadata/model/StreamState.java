// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** Where a stream is in its life. */
public enum StreamState {
    /** May be written and read. */
    ACTIVE,
    /** Ended for ever: no append succeeds, readers get the end after the last record. */
    SEALED,
    /** Deletion has begun; only going on with it is possible. */
    DELETING
}
