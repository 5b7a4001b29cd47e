// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

/** Bytes from outside that are not what they claim to be. Whoever decodes closes the link or refuses the value. */
public final class BadFrameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With one line that says what is wrong, without repeating foreign bytes. */
    public BadFrameException(String message) {
        super(message);
    }
}
