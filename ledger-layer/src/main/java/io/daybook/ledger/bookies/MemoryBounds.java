// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

/**
 * Bounds on the bytes of adds that one loop holds.
 *
 * @param writerBytes unacknowledged, of one writer
 * @param bookieBytes that wait for one bookie to take them
 * @param totalBytes unacknowledged, of all writers of the loop
 */
public record MemoryBounds(long writerBytes, long bookieBytes, long totalBytes) {}
