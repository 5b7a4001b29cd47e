// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.stream.StreamException;
import java.util.regex.Pattern;

/** The rule for names of streams. */
final class NameRule {
    private static final int LENGTH_MAX = 255;
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");

    private NameRule() {}

    /** Passes a legal name; throws {@link StreamException.InvalidName} with the rule otherwise. */
    static String requireLegal(String name) {
        boolean isLegal = name.length() <= LENGTH_MAX
                && LEGAL.matcher(name).matches()
                && !name.contains("//")
                && !name.endsWith("/");
        if (!isLegal) {
            String shown = name.length() <= LENGTH_MAX ? name : name.substring(0, LENGTH_MAX) + "…";
            throw new StreamException.InvalidName("'" + shown + "' is not a stream name: use 1 to " + LENGTH_MAX
                    + " letters, digits and . _ - /, beginning with a letter or digit, without // and not ending in /");
        }
        return name;
    }
}
