// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import org.jspecify.annotations.Nullable;

/** A bookie was not formatted or not started (B15). The message is one line that names the thing and the remedy. */
public final class BookieStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    BookieStartException(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    BookieStartException(ExitCode exitCode, String message) {
        this(exitCode, message, null);
    }

    /** What a process that was to be this bookie ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
