// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

/** The payload of a ledger entry is not a batch of records that this version can read. The message says what is wrong with it. */
public final class DamagedEntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedEntryException(String message) {
        super(message);
    }
}
