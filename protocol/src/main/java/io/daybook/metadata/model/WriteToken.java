// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** 128 fresh random bits carried by every metadata write, by which a writer recognises its own write when the answer was lost (M2). */
public record WriteToken(long high, long low) {
    /** The token of a value that was never written. */
    public static final WriteToken NONE = new WriteToken(0, 0);

    /** Its 32 hex digits. */
    public String hex() {
        return String.format("%016x%016x", high, low);
    }
}
