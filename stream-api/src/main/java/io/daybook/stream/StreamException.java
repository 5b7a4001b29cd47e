// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Instant;

/** A call on a stream failed. The subclass says what the caller can do, {@link #code} is stable, the message names the stream, the reason and the remedy. */
public abstract sealed class StreamException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What became of an append that failed. */
    public enum Outcome {
        /** The record is not in the stream and never will be. */
        FAILED,
        /** The record may or may not be in the stream; opening a new writer decides, reading tells. */
        UNKNOWN
    }

    private final String code;
    private final boolean retryable;
    private final Outcome outcome;

    private StreamException(String code, boolean retryable, Outcome outcome, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryable = retryable;
        this.outcome = outcome;
    }

    private StreamException(String code, boolean retryable, Outcome outcome, String message) {
        super(message);
        this.code = code;
        this.retryable = retryable;
        this.outcome = outcome;
    }

    /**
     * What kind of failure it is.
     *
     * @return a short stable name, such as {@code stream-not-found}
     */
    public String code() {
        return code;
    }

    /**
     * Whether the same call may succeed later without anything else being changed.
     *
     * @return true when it may
     */
    public boolean isRetryable() {
        return retryable;
    }

    /**
     * What became of what was asked.
     *
     * @return for an append, what became of the record; for other calls {@link Outcome#FAILED}
     */
    public Outcome outcome() {
        return outcome;
    }

    /** There is no stream of that name (or it is being deleted, and the message says so). */
    public static final class StreamNotFound extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the stream
         */
        public StreamNotFound(String message) {
            this(message, Outcome.FAILED);
        }

        /**
         * With what became of a record that was being appended.
         *
         * @param message names the stream
         * @param outcome what became of the record
         */
        public StreamNotFound(String message, Outcome outcome) {
            super("stream-not-found", false, outcome, message);
        }
    }

    /**
     * The stream has another name now, or has left this one and come back. Whoever writes or reads it opens it anew under the name that it has; positions that were told before are
     * translated by {@link #position}.
     */
    public static final class StreamRenamed extends StreamException {
        private static final long serialVersionUID = 1L;

        private final String newName;
        private final long segmentShift;

        /**
         * With its new name.
         *
         * @param message names both
         * @param newName what it is called now
         * @param segmentShift what is added to the segment of a position that was told before, 0 or more
         * @param outcome what became of the record, for an append
         */
        public StreamRenamed(String message, String newName, long segmentShift, Outcome outcome) {
            super("stream-renamed", false, outcome, message);
            this.newName = newName;
            this.segmentShift = segmentShift;
        }

        /**
         * What the stream is called now.
         *
         * @return the name
         */
        public String newName() {
            return newName;
        }

        /**
         * By how much the numbers of its segments rose since it was opened, over all renames.
         *
         * @return what is added to the segment of a position that was told before, 0 or more
         */
        public long segmentShift() {
            return segmentShift;
        }

        /**
         * The same position under the new name.
         *
         * @param old told by the writer, reader or stream that fails with this
         * @return where the record is found now
         */
        public DLSN position(DLSN old) {
            return new Namespace.Renamed(newName, segmentShift).position(old);
        }
    }

    /** A stream of that name exists already. */
    public static final class StreamExists extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the stream
         */
        public StreamExists(String message) {
            super("stream-exists", false, Outcome.FAILED, message);
        }
    }

    /** The name is not a legal stream name. */
    public static final class InvalidName extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the rule
         */
        public InvalidName(String message) {
            super("invalid-name", false, Outcome.FAILED, message);
        }
    }

    /**
     * Another writer has taken the stream over, or somebody deletes it, of which a writer may hear in this way first. Open a new writer to take it back: that fails with
     * {@link StreamNotFound} when the stream is gone.
     */
    public static final class WriterFenced extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * Of an append.
         *
         * @param message one line
         * @param outcome what became of the record
         */
        public WriterFenced(String message, Outcome outcome) {
            super("writer-fenced", false, outcome, message);
        }
    }

    /** Another writer owns the stream, and the options of the opening do not say that it is to be taken over. */
    public static final class StreamOwned extends StreamException {
        private static final long serialVersionUID = 1L;

        private final String owner;
        private final Instant since;

        /**
         * With who owns it.
         *
         * @param message one line
         * @param owner label, process and host
         * @param since by the clock of the owner's machine
         */
        public StreamOwned(String message, String owner, Instant since) {
            super("stream-owned", true, Outcome.FAILED, message);
            this.owner = owner;
            this.since = since;
        }

        /**
         * Who owns the stream.
         *
         * @return label, process and host
         */
        public String owner() {
            return owner;
        }

        /**
         * Since when it is owned.
         *
         * @return by the clock of the owner's machine
         */
        public Instant since() {
            return since;
        }
    }

    /** The writer stopped at an earlier failure, which is the cause. Open a new writer. */
    public static final class WriterFailed extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * Of an append.
         *
         * @param message one line
         * @param outcome what became of the record
         * @param cause why
         */
        public WriterFailed(String message, Outcome outcome, Throwable cause) {
            super("writer-failed", true, outcome, message, cause);
        }
    }

    /** Too many bytes are in flight and the caller must not be blocked. */
    public static final class WriterBusy extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the bound
         */
        public WriterBusy(String message) {
            super("writer-busy", true, Outcome.FAILED, message);
        }
    }

    /** The transaction id does not follow the one before as the stream demands. */
    public static final class TransactionIdOutOfOrder extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names both ids
         */
        public TransactionIdOutOfOrder(String message) {
            super("transaction-id-out-of-order", false, Outcome.FAILED, message);
        }
    }

    /** The record, or an atomic batch of records, is too large. */
    public static final class RecordTooLarge extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names size and limit
         */
        public RecordTooLarge(String message) {
            super("record-too-large", false, Outcome.FAILED, message);
        }
    }

    /** The position lies below the truncation point: its record is gone. */
    public static final class Truncated extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the first position that is left
         */
        public Truncated(String message) {
            super("truncated", false, Outcome.FAILED, message);
        }
    }

    /** The options cannot be those of this stream. */
    public static final class InvalidOptions extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the option
         */
        public InvalidOptions(String message) {
            super("invalid-options", false, Outcome.FAILED, message);
        }
    }

    /** The stream has no subscription of that id. */
    public static final class SubscriptionNotFound extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names stream and subscription
         */
        public SubscriptionNotFound(String message) {
            super("subscription-not-found", false, Outcome.FAILED, message);
        }
    }

    /** The stream has a subscription of that id already. */
    public static final class SubscriptionExists extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names stream and subscription
         */
        public SubscriptionExists(String message) {
            super("subscription-exists", false, Outcome.FAILED, message);
        }
    }

    /** The entries of the stream have an HMAC, and its key is not the one of the namespace, which may have none. Nothing was changed. Open the namespace with the key of the stream. */
    public static final class WrongKey extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the stream
         */
        public WrongKey(String message) {
            super("wrong-key", false, Outcome.FAILED, message);
        }
    }

    /** The subscription was moved, taken or deleted by somebody else. Look where it stands now. */
    public static final class SubscriptionChanged extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names stream and subscription
         */
        public SubscriptionChanged(String message) {
            super("subscription-changed", false, Outcome.FAILED, message);
        }
    }

    /** Another exclusive reader has the subscription; the message names it. It may be free later. */
    public static final class SubscriptionInUse extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names stream and subscription
         */
        public SubscriptionInUse(String message) {
            super("subscription-in-use", true, Outcome.FAILED, message);
        }
    }

    /** The position lies behind the end of the stream. */
    public static final class PositionBeyondEnd extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the position and the end
         */
        public PositionBeyondEnd(String message) {
            super("position-beyond-end", false, Outcome.FAILED, message);
        }
    }

    /** The position is not of this stream but of one of the same name that was deleted or renamed before this one had the name; it means nothing here. Begin anew. */
    public static final class ForeignPosition extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the position and where this stream began
         */
        public ForeignPosition(String message) {
            super("foreign-position", false, Outcome.FAILED, message);
        }
    }

    /** The stream is sealed and has no further record; or an append to a sealed stream. */
    public static final class EndOfStream extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the stream
         */
        public EndOfStream(String message) {
            super("end-of-stream", false, Outcome.FAILED, message);
        }
    }

    /** A record exists but every copy of it is damaged. */
    public static final class Corrupt extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its message.
         *
         * @param message names the position
         * @param cause why
         */
        public Corrupt(String message, Throwable cause) {
            super("corrupt", false, Outcome.FAILED, message, cause);
        }
    }

    /** Bookies or the metadata store could not be reached, or are too few, for now. */
    public static final class Unavailable extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With its reason.
         *
         * @param message one line
         * @param cause the reason
         */
        public Unavailable(String message, Throwable cause) {
            super("unavailable", true, Outcome.FAILED, message, cause);
        }
    }

    /** The handle or the namespace was closed by its owner. */
    public static final class HandleClosed extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * Of an append.
         *
         * @param message one line
         * @param outcome what became of the record
         */
        public HandleClosed(String message, Outcome outcome) {
            super("handle-closed", false, outcome, message);
        }
    }

    /** A bug in Daybook: something that must always hold does not. Report it with the message and the cause. */
    public static final class Bug extends StreamException {
        private static final long serialVersionUID = 1L;

        /**
         * With the violation.
         *
         * @param message one line
         * @param cause the violation
         */
        public Bug(String message, Throwable cause) {
            super("bug", false, Outcome.UNKNOWN, message, cause);
        }
    }
}
