// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** A bug: something that must always hold does not. The bookie process stops, a client handle fails; nobody goes on as if nothing happened. */
public final class InvariantViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message that begins with the id of the invariant, such as {@code L10: …}. */
    public InvariantViolation(String message) {
        super(message);
    }
}
