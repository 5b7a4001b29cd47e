// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import java.util.List;

/**
 * Part of a listing, in rising order.
 *
 * @param isLast whether nothing follows. A listing is a proof of absence only when all its pages up to the last were read without error (M7)
 */
public record Page<T>(List<T> items, boolean isLast) {
    /** Copies the list. */
    public Page {
        items = List.copyOf(items);
    }
}
