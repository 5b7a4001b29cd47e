// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

/** Records that once were durable in the journal, and are needed, cannot be read any more (B9). */
public final class JournalDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean isAcceptable;

    /** With one line that names file and position. */
    public JournalDamagedException(String message) {
        this(message, true);
    }

    private JournalDamagedException(String message, boolean isAcceptable) {
        super(message);
        this.isAcceptable = isAcceptable;
    }

    /** A sound record cannot be understood; nobody may pass over it. */
    static JournalDamagedException unknownType(int type) {
        return new JournalDamagedException(
                "a record is of the unknown type " + type + ": a newer version wrote this journal", false);
    }

    /** The same, which says in which directory. */
    public JournalDamagedException in(String path) {
        return new JournalDamagedException("in " + path + ": " + getMessage(), isAcceptable);
    }

    /** Whether an operator can accept what is lost, so that a start goes on without it. */
    public boolean isAcceptable() {
        return isAcceptable;
    }
}
