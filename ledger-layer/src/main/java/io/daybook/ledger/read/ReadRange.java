// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

/**
 * What a read asks for.
 *
 * @param firstEntryId the first entry wanted
 * @param lastEntryId the last one that may be returned
 * @param bytesMax about how many bytes of payload; one entry is returned whatever its size
 */
record ReadRange(long firstEntryId, long lastEntryId, int bytesMax) {
    /** How many entries at most. */
    int count() {
        return (int) Math.min(Integer.MAX_VALUE, lastEntryId - firstEntryId + 1);
    }
}
