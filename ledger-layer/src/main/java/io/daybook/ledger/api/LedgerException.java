// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import org.jspecify.annotations.Nullable;

/** A call on a ledger failed. The subclass says what the caller can do, {@link #code} is stable, the message names the ledger, the reason and the remedy. */
public abstract sealed class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What became of a call that failed (L14). */
    public enum Outcome {
        /** The entry of an append is in no log and never will be. Any other call has changed nothing. */
        FAILED,
        /**
         * The entry of an append may or may not be in the ledger; recovery decides. Any other call may have taken effect, wholly or in part: the ledger may be
         * made, deleted or closed, its writer may be fenced.
         */
        UNKNOWN
    }

    private final Outcome outcome;

    private LedgerException(String message, Outcome outcome, @Nullable Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    /**
     * What became of the call. One that only reads has changed nothing, whatever this says.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return outcome;
    }

    /**
     * A short stable name, such as {@code fenced}.
     *
     * @return the name
     */
    public abstract String code();

    /**
     * Whether the same call may succeed later without anything else being changed.
     *
     * @return true when it may
     */
    public boolean isRetryable() {
        return false;
    }

    /** Another client has fenced the ledger or decided its end. This writer is done. */
    public static final class Fenced extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         */
        public Fenced(String message, Outcome outcome) {
            super(message, outcome, null);
        }

        @Override
        public String code() {
            return "fenced";
        }
    }

    /** There is no such ledger: it never existed or was deleted. */
    public static final class LedgerGone extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         */
        public LedgerGone(String message, Outcome outcome) {
            super(message, outcome, null);
        }

        @Override
        public String code() {
            return "ledger-gone";
        }
    }

    /** The id that was wanted for a ledger is in use, or was. */
    public static final class LedgerExists extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the id.
         *
         * @param message what failed, on what, and the remedy
         */
        public LedgerExists(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "ledger-exists";
        }
    }

    /** The handle or the client was closed by its owner. */
    public static final class HandleClosed extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         */
        public HandleClosed(String message, Outcome outcome) {
            super(message, outcome, null);
        }

        @Override
        public String code() {
            return "handle-closed";
        }
    }

    /** Too few bookies answer or take entries. */
    public static final class NotEnoughBookies extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         */
        public NotEnoughBookies(String message, Outcome outcome) {
            super(message, outcome, null);
        }

        @Override
        public String code() {
            return "not-enough-bookies";
        }

        @Override
        public boolean isRetryable() {
            return true;
        }
    }

    /** The entry lies beyond the end, or beyond what is confirmed. */
    public static final class EntryAbsent extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names entry and end.
         *
         * @param message what failed, on what, and the remedy
         */
        public EntryAbsent(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "entry-absent";
        }
    }

    /** No copy of the entry could be read now; it may well exist. */
    public static final class EntryUnreadable extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the entry and what each bookie answered.
         *
         * @param message what failed, on what, and the remedy
         */
        public EntryUnreadable(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "entry-unreadable";
        }

        @Override
        public boolean isRetryable() {
            return true;
        }
    }

    /** The ledger was made with a key, and none or another one was given. Nothing was read, fenced or changed. */
    public static final class WrongKey extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the ledger.
         *
         * @param message what failed, on what, and the remedy
         */
        public WrongKey(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "wrong-key";
        }
    }

    /** Every copy of the entry is damaged. */
    public static final class EntryCorrupt extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the entry.
         *
         * @param message what failed, on what, and the remedy
         */
        public EntryCorrupt(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "entry-corrupt";
        }
    }

    /** An entry of that id was appended before; the writer is well. */
    public static final class DuplicateEntry extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the entry.
         *
         * @param message what failed, on what, and the remedy
         */
        public DuplicateEntry(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "duplicate-entry";
        }
    }

    /** The payload is larger than an entry may be. The writer is well, unless it was a bookie that refused the entry: then the writer has failed. */
    public static final class TooLarge extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names size and limit.
         *
         * @param message what failed, on what, and the remedy
         */
        public TooLarge(String message) {
            this(message, Outcome.FAILED);
        }

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         */
        public TooLarge(String message, Outcome outcome) {
            super(message, outcome, null);
        }

        @Override
        public String code() {
            return "too-large";
        }
    }

    /** Too many appends wait for room; the writer is well. Wait for {@link LedgerWriter#ready}. */
    public static final class NoRoom extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * With a message that names the ledger and what waits.
         *
         * @param message what failed, on what, and the remedy
         */
        public NoRoom(String message) {
            super(message, Outcome.FAILED, null);
        }

        @Override
        public String code() {
            return "no-room";
        }

        @Override
        public boolean isRetryable() {
            return true;
        }
    }

    /** The metadata store did not do what it was asked. */
    public static final class MetadataFailed extends LedgerException {
        private static final long serialVersionUID = 1L;

        private final boolean retryable;

        /**
         * With the store's own failure as cause.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         * @param retryable whether the same call may succeed later
         * @param cause what it stems from
         */
        public MetadataFailed(String message, Outcome outcome, boolean retryable, Throwable cause) {
            super(message, outcome, cause);
            this.retryable = retryable;
        }

        @Override
        public String code() {
            return "metadata-failed";
        }

        @Override
        public boolean isRetryable() {
            return retryable;
        }
    }

    /** A bug in Daybook: an invariant does not hold; the handle stops. */
    public static final class Bug extends LedgerException {
        private static final long serialVersionUID = 1L;

        /**
         * For a call whose outcome is given.
         *
         * @param message what failed, on what, and the remedy
         * @param outcome what became of the append
         * @param cause what it stems from
         */
        public Bug(String message, Outcome outcome, Throwable cause) {
            super(message, outcome, cause);
        }

        @Override
        public String code() {
            return "bug";
        }
    }
}
