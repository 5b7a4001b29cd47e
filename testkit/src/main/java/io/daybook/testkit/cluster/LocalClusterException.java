// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import org.jspecify.annotations.Nullable;

/** A part of a local cluster cannot do what it was told; the message says in one line which, why and what to do. */
public final class LocalClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the reason as cause. */
    public LocalClusterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
