// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.IOException;

/** The input is not of the format that was named; the message says where and why. */
public final class MalformedInputException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With a one-line message. */
    public MalformedInputException(String message) {
        super(message);
    }
}
