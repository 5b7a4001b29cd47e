// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What an application appends.
 *
 * @param transactionId the application's own position, 0 or more; the stream's {@link StreamOptions.TransactionIdMode} says how ids must follow each other
 * @param payload at most {@link #PAYLOAD_BYTES_MAX} bytes from its position to its limit; copied by the append call
 */
public record LogRecord(long transactionId, ByteBuffer payload) {
    /** The largest payload, in bytes: 2 MiB. */
    public static final int PAYLOAD_BYTES_MAX = 2 * 1024 * 1024;

    /**
     * Keeps a read-only view, so that reading the payload moves nobody's position.
     *
     * @param transactionId the application's own position, 0 or more
     * @param payload copied by the append call
     * @throws IllegalArgumentException for a negative transaction id
     */
    public LogRecord {
        if (transactionId < 0) {
            throw new IllegalArgumentException("transaction id " + transactionId + " is negative");
        }
        payload = payload.asReadOnlyBuffer();
    }

    /**
     * With the bytes of an array.
     *
     * @param transactionId the application's own position, 0 or more
     * @param payload not copied before the append call
     * @return the record
     */
    public static LogRecord of(long transactionId, byte[] payload) {
        return new LogRecord(transactionId, ByteBuffer.wrap(payload));
    }

    /**
     * With the UTF-8 bytes of a text.
     *
     * @param transactionId the application's own position, 0 or more
     * @param payload the text
     * @return the record
     */
    public static LogRecord of(long transactionId, String payload) {
        return of(transactionId, payload.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A view of the payload with its own position.
     *
     * @return read-only
     */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate();
    }
}
