// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, 0 or more, written with a binary unit: {@code 64KiB}, {@code 1MiB}, {@code 512}. */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) *(B|KiB|MiB|GiB|TiB)?");
    private static final int UNIT_BITS = 10;

    /** Refuses a negative number with {@link IllegalArgumentException}. */
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size of " + bytes + " bytes is negative");
        }
    }

    /** Reads a size; throws {@link IllegalArgumentException} that names the text and the form when it is none. */
    public static ByteSize parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size: write a whole number with B, KiB, MiB, GiB or TiB");
        }
        long number = Long.parseLong(matcher.group(1));
        int shift = matcher.group(2) == null ? 0 : UNIT_BITS * UNITS.indexOf(matcher.group(2));
        if (number > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("'" + text + "' is too large a size");
        }
        return new ByteSize(number << shift);
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** With the largest unit that divides it. */
    @Override
    public String toString() {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / UNIT_BITS, UNITS.size() - 1);
        return unit == 0 ? Long.toString(bytes) : (bytes >> (UNIT_BITS * unit)) + UNITS.get(unit);
    }
}
