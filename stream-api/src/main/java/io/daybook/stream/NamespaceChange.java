// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

/**
 * What a watch over a namespace tells of one stream.
 *
 * @param kind what is so now
 * @param name the stream
 */
public record NamespaceChange(Kind kind, String name) {
    /** What is told of a stream. */
    public enum Kind {
        /** It was there when the watch began. */
        PRESENT,
        /** It was made since the watch looked before. */
        CREATED,
        /** It was there and is not any more. */
        DELETED
    }
}
