// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

/** What a stream demands of the transaction ids of its records, in order. */
public enum TransactionIdMode {
    /** Each is at least the one before. */
    NON_DECREASING,
    /**
     * Each is greater than the one before. A record whose id is already stored is not stored again: the append completes with the position of the stored one, which
     * makes re-sending records of unknown outcome safe (exactly-once).
     */
    STRICT
}
