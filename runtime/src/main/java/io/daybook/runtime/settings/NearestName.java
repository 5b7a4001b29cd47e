// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which known name was meant by one that is misspelled: the one with the least edits (Levenshtein 1966), unless too many are needed. */
final class NearestName {
    private NearestName() {}

    static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 3));
    }

    private static int distance(String left, String right) {
        int[] previous = new int[right.length() + 1];
        for (int column = 0; column <= right.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= left.length(); row++) {
            int[] current = new int[right.length() + 1];
            current[0] = row;
            for (int column = 1; column <= right.length(); column++) {
                int replaced = previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
