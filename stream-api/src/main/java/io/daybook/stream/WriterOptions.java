// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Duration;

/**
 * How a writer is opened and how it gathers records.
 *
 * @param ifOwned what to do when another writer, of this or another program, owns the stream
 * @param ownershipWaitMax how long {@link IfOwned#WAIT} waits for the owner to end, 0 or more; after that the opening is refused with {@link StreamException.StreamOwned}
 * @param linger how long a record may wait for others to be sent with it, 0 to an hour; 0 sends what is there as soon as it can be sent
 * @param batchBytesMax bytes of records at which a batch is sent without lingering further, {@value #BATCH_BYTES_MIN} to {@link LogRecord#PAYLOAD_BYTES_MAX}; a larger
 *     record goes alone
 * @param label what the program calls itself, shown to those who are refused; may be empty, at most {@value #LABEL_LENGTH_MAX} characters
 */
public record WriterOptions(
        IfOwned ifOwned, Duration ownershipWaitMax, Duration linger, int batchBytesMax, String label) {
    /** The least bound of a batch. */
    public static final int BATCH_BYTES_MIN = 1024;

    /** The longest time that a record lingers. */
    public static final Duration LINGER_MAX = Duration.ofHours(1);

    /** The longest label. */
    public static final int LABEL_LENGTH_MAX = 200;

    /**
     * Waits up to 30 seconds for another owner to end, which is longer than the session of one that has died; batches of up to 256 KiB, sent at once.
     */
    public static final WriterOptions DEFAULT =
            new WriterOptions(IfOwned.WAIT, Duration.ofSeconds(30), Duration.ZERO, 256 * 1024, "");

    /** What to do when another writer owns the stream. */
    public enum IfOwned {
        /** Wait until its owner closes it, or until the session of an owner that has died ends. */
        WAIT,
        /** Refuse at once with {@link StreamException.StreamOwned}. */
        FAIL,
        /** Take the stream over at once: its owner is fenced and keeps what was acknowledged to it. */
        TAKE_OVER
    }

    /**
     * Refuses impossible values.
     *
     * @param ifOwned what to do when another writer, of this or another program, owns the stream
     * @param ownershipWaitMax how long {@link IfOwned#WAIT} waits for the owner to end, 0 or more; after that the opening is refused with {@link StreamException.StreamOwned}
     * @param linger how long a record may wait for others to be sent with it, 0 to an hour; 0 sends what is there as soon as it can be sent
     * @param batchBytesMax bytes of records at which a batch is sent without lingering further, {@value #BATCH_BYTES_MIN} to {@link LogRecord#PAYLOAD_BYTES_MAX}; a larger record goes alone
     * @param label what the program calls itself, shown to those who are refused; may be empty, at most {@value #LABEL_LENGTH_MAX} characters
     * @throws IllegalArgumentException that names what is impossible
     */
    public WriterOptions {
        if (ownershipWaitMax.isNegative() || linger.isNegative()) {
            throw new IllegalArgumentException("a time to wait is not negative");
        }
        if (linger.compareTo(LINGER_MAX) > 0) {
            throw new IllegalArgumentException("a record lingers for at most " + LINGER_MAX + ", not " + linger);
        }
        if (batchBytesMax < BATCH_BYTES_MIN || batchBytesMax > LogRecord.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException("a batch is bounded by " + BATCH_BYTES_MIN + " to "
                    + LogRecord.PAYLOAD_BYTES_MAX + " bytes, not " + batchBytesMax);
        }
        if (label.length() > LABEL_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a label has at most " + LABEL_LENGTH_MAX + " characters, not " + label.length());
        }
    }

    /**
     * Takes the stream over from whoever owns it.
     *
     * @return the options with that
     */
    public WriterOptions takingOver() {
        return new WriterOptions(IfOwned.TAKE_OVER, ownershipWaitMax, linger, batchBytesMax, label);
    }

    /**
     * Refuses at once when somebody owns the stream.
     *
     * @return the options with that
     */
    public WriterOptions failingIfOwned() {
        return new WriterOptions(IfOwned.FAIL, ownershipWaitMax, linger, batchBytesMax, label);
    }

    /**
     * Waits so long for another owner to end.
     *
     * @param timeMax 0 or more
     * @return the options with that
     */
    public WriterOptions waitingFor(Duration timeMax) {
        return new WriterOptions(IfOwned.WAIT, timeMax, linger, batchBytesMax, label);
    }

    /**
     * With another way to gather records.
     *
     * @param nextLinger how long a record may wait for others
     * @param bytesMax bytes of a batch
     * @return the options with that
     */
    public WriterOptions withBatches(Duration nextLinger, int bytesMax) {
        return new WriterOptions(ifOwned, ownershipWaitMax, nextLinger, bytesMax, label);
    }

    /**
     * With another name of the program.
     *
     * @param next for people
     * @return the options with that
     */
    public WriterOptions withLabel(String next) {
        return new WriterOptions(ifOwned, ownershipWaitMax, linger, batchBytesMax, next);
    }
}
