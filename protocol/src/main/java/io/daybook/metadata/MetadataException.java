// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import org.jspecify.annotations.Nullable;

/** A metadata store did not do what it was asked; the code says what is known. The message names the thing and the reason in one line. */
public final class MetadataException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known after a refusal. */
    public enum Code {
        /** The value does not exist, for certain. */
        NOT_FOUND,
        /** Somebody else's value exists under that key. */
        ALREADY_EXISTS,
        /** The value has another version than the one named; nothing was changed. */
        VERSION_CONFLICT,
        /** The change may or may not have happened and re-reading could not settle it. */
        OUTCOME_UNKNOWN,
        /** The store could not be reached in time; nothing was changed (for a read: nothing is known). */
        UNAVAILABLE,
        /** The value exists but cannot be read: damaged, or written by a newer version. Never to be treated as absent (M6). */
        UNREADABLE,
        /** The store was closed by its owner. */
        CLOSED,
        /** The store refuses for lack of rights. */
        DENIED
    }

    private final Code code;

    /** With a one-line message. */
    public MetadataException(Code code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Without a cause. */
    public MetadataException(Code code, String message) {
        this(code, message, null);
    }

    /** What is known. */
    public Code code() {
        return code;
    }

    /** Whether the same call may succeed later without anything else being changed. */
    public boolean isRetryable() {
        return code == Code.UNAVAILABLE || code == Code.OUTCOME_UNKNOWN;
    }
}
