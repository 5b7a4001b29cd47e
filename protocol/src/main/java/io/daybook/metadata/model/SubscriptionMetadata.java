// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/**
 * A named position in a stream.
 *
 * @param stream the identity of the stream for which it was made; in another one it means nothing (S14)
 * @param nextSegment with {@code nextEntry} and {@code nextSlot}: what is to be read next
 * @param epoch raised by every exclusive reader; one of an older epoch is fenced
 * @param reader a label of the present or last exclusive reader for people, empty for none
 */
public record SubscriptionMetadata(
        String id,
        WriteToken stream,
        long nextSegment,
        long nextEntry,
        int nextSlot,
        long epoch,
        String reader,
        long createdMillis,
        long changedMillis,
        WriteToken token) {
    /** The same with its position in the segment of another number. */
    public SubscriptionMetadata inSegment(long number) {
        return new SubscriptionMetadata(
                id, stream, number, nextEntry, nextSlot, epoch, reader, createdMillis, changedMillis, token);
    }
}
