// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

/** Records that once were durable in the journal, and are needed, cannot be read any more (B9). */
public final class JournalDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With one line that names file and position. */
    public JournalDamagedException(String message) {
        super(message);
    }
}
