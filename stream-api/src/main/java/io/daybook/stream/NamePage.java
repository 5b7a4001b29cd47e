// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.List;

/**
 * Part of a listing of streams.
 *
 * @param names in order
 * @param isLast whether nothing follows; otherwise ask again with the last name
 */
public record NamePage(List<String> names, boolean isLast) {
    /** Copies the list. */
    public NamePage {
        names = List.copyOf(names);
    }
}
