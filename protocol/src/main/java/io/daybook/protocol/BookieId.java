// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

/**
 * The identity of a bookie: 128 random bits minted when its disks are formatted. A wiped disk is a new bookie. Its text form is 32 lower-case hex
 * digits; people see the first eight ({@link #shortText}).
 */
public record BookieId(long high, long low) implements Comparable<BookieId> {
    /** Reads the text form; throws {@link IllegalArgumentException} that names the text when it is not one. */
    public static BookieId parse(String text) {
        if (!text.matches("[0-9a-f]{32}")) {
            throw new IllegalArgumentException("'" + text + "' is not a bookie id (32 lower-case hex digits)");
        }
        return new BookieId(Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, 32, 16));
    }

    /** The first eight digits, for messages. */
    public String shortText() {
        return toString().substring(0, 8);
    }

    @Override
    public int compareTo(BookieId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
