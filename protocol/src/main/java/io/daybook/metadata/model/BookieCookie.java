// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * Who a set of directories is: written into each of them and into metadata when a bookie is formatted (B15).
 *
 * @param name a label for people
 * @param directories the roles and numbers of all directories, such as {@code journal-0}, {@code data-0}
 * @param formattedMillis wall-clock time of formatting, for display only
 */
public record BookieCookie(
        ClusterId clusterId, BookieId bookieId, String name, List<String> directories, long formattedMillis) {
    /** Copies the list. */
    public BookieCookie {
        directories = List.copyOf(directories);
    }
}
