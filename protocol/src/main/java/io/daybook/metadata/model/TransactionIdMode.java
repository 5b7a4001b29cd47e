// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** What a stream demands of the transaction ids of its records, in order. */
public enum TransactionIdMode {
    /** Each is at least the one before. */
    NON_DECREASING,
    /** Each is greater than the one before; an id that is already stored is answered with the position of its record (exactly-once appends). */
    STRICT
}
