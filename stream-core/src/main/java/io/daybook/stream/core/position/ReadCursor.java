// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.position;

/**
 * Where reading begins: at the first record at or after segment, entry and slot whose transaction id is at least {@code transactionIdMin}.
 *
 * @param transactionIdMin -1 for any
 */
public record ReadCursor(long segment, long entry, int slot, long transactionIdMin) {
    /** Whatever the transaction id. */
    public static ReadCursor at(long segment, long entry, int slot) {
        return new ReadCursor(segment, entry, slot, -1);
    }
}
