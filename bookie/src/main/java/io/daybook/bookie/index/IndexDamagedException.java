// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index;

/** An index file cannot be used. It is redundant: it is made again from its entry log. */
public final class IndexDamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With one line that names the file. */
    public IndexDamagedException(String message) {
        super(message);
    }
}
