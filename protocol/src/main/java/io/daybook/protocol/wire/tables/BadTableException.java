// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

/** Bytes that are not the FlatBuffers table they should be. Whoever decodes turns it into a refusal of the frame or of the metadata value. */
public final class BadTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With one line that says what is wrong, without repeating foreign bytes. */
    public BadTableException(String message) {
        super(message);
    }
}
