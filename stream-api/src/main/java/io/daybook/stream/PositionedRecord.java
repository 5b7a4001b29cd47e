// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A record that was read.
 *
 * @param position where it stands
 * @param sequenceId its gapless number in the stream, from 0
 * @param transactionId the application's own position
 * @param payload the bytes; owned by the receiver, valid for ever
 */
public record PositionedRecord(DLSN position, long sequenceId, long transactionId, ByteBuffer payload) {
    /**
     * Keeps a read-only view.
     *
     * @param position where it stands
     * @param sequenceId its gapless number in the stream, from 0
     * @param transactionId the application's own position
     * @param payload the bytes; owned by the receiver, valid for ever
     */
    public PositionedRecord {
        payload = payload.asReadOnlyBuffer();
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

    /**
     * A copy of the payload.
     *
     * @return the caller's
     */
    public byte[] payloadBytes() {
        byte[] bytes = new byte[payload.remaining()];
        payload.duplicate().get(bytes);
        return bytes;
    }

    /**
     * The payload read as UTF-8.
     *
     * @return the text; what is no UTF-8 stands in it as replacement characters
     */
    public String payloadText() {
        return StandardCharsets.UTF_8.decode(payload.duplicate()).toString();
    }
}
