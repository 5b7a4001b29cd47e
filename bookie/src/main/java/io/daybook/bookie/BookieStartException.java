// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.runtime.DiskException;
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

    /** Why a bookie cannot {@code what} (start, format), which threw that. */
    static BookieStartException of(String what, Throwable thrown) {
        if (thrown instanceof BookieStartException refusal) {
            return refusal;
        }
        if (thrown instanceof DiskException failure) {
            return new BookieStartException(ExitCode.DISK, "cannot " + what + ": " + failure.getMessage(), failure);
        }
        if (thrown instanceof OutOfMemoryError) {
            return new BookieStartException(
                    ExitCode.MEMORY,
                    "cannot " + what + ": what that needs does not fit into memory (" + thrown.getMessage()
                            + "): give the process more with -Xmx or -XX:MaxDirectMemorySize, set"
                            + " bookie.slab-bytes, bookie.slab-count or bookie.index.memory-max lower, or allow it more"
                            + " threads if it is these that it lacks",
                    thrown);
        }
        return new BookieStartException(ExitCode.VIOLATION, "cannot " + what + ", which is a bug: " + thrown, thrown);
    }

    /** What a process that was to be this bookie ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
