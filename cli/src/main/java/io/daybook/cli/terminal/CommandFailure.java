// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import org.jspecify.annotations.Nullable;

/** A command cannot do what it was told; the message is the one line that people see: what, on what, and the remedy. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** With an exit code of its own. */
    public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** With {@link ExitCodes#FAILED}. */
    public CommandFailure(String message) {
        this(ExitCodes.FAILED, message, null);
    }

    /** With {@link ExitCodes#FAILED} and what led to it. */
    public CommandFailure(String message, @Nullable Throwable cause) {
        this(ExitCodes.FAILED, message, cause);
    }

    /** What the process ends with. */
    public int exitCode() {
        return exitCode;
    }
}
