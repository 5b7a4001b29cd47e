// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** The identity of a cluster: 128 random bits. Its text form is 32 lower-case hex digits. */
public record ClusterId(long high, long low) {
    /** Reads the text form; throws {@link IllegalArgumentException} that names the text when it is not one. */
    public static ClusterId parse(String text) {
        if (!text.matches("[0-9a-f]{32}")) {
            throw new IllegalArgumentException("'" + text + "' is not a cluster id (32 lower-case hex digits)");
        }
        return new ClusterId(Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, 32, 16));
    }

    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
