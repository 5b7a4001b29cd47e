// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import org.jspecify.annotations.Nullable;

/** A disk operation that did not happen; the message names the path and the reason. */
public final class DiskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a disk refused. */
    public enum Kind {
        /** The file or directory does not exist. */
        NOT_FOUND,
        /** The name is taken. */
        EXISTS,
        /** No space is left. */
        FULL,
        /** Another process holds the directory. */
        LOCKED,
        /** Reading, writing or syncing failed; what the device holds now is unknown. */
        IO
    }

    private final Kind kind;

    /** With a one-line message that names the path. */
    public DiskException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Why the disk refused. */
    public Kind kind() {
        return kind;
    }
}
