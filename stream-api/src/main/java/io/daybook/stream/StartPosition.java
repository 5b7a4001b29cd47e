// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

/** Where a reader begins. */
public sealed interface StartPosition {
    /** At the first record that is not truncated. */
    static StartPosition earliest() {
        return new Earliest();
    }

    /** After the last record that was acknowledged when the reader was opened. */
    static StartPosition latest() {
        return new Latest();
    }

    /** At a position: its record is the first one read (or the next record, when none stands there). */
    static StartPosition at(DLSN position) {
        return new At(position);
    }

    /** After a position: to go on where an earlier reader ended (S13). */
    static StartPosition after(DLSN position) {
        return new After(position);
    }

    /** At the first record whose transaction id is at least {@code transactionId}. */
    static StartPosition atTransactionId(long transactionId) {
        return new AtTransactionId(transactionId);
    }

    /** See {@link #earliest}. */
    record Earliest() implements StartPosition {}

    /** See {@link #latest}. */
    record Latest() implements StartPosition {}

    /** See {@link #at}. */
    record At(DLSN position) implements StartPosition {}

    /** See {@link #after}. */
    record After(DLSN position) implements StartPosition {}

    /** See {@link #atTransactionId}. */
    record AtTransactionId(long transactionId) implements StartPosition {}
}
