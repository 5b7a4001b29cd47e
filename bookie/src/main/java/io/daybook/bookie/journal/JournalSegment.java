// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.cache.Slab;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;

/**
 * One file of the journal's ring together with the slab that is its image.
 *
 * <p><i>States:</i> free (may be filled) → active (being filled) → sealed (waiting for its last commit, then for its flush) → free.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class JournalSegment {
    private final DiskFile file;
    private final Slab slab;
    private final ByteBuffer commitView;
    private int incarnation;
    private int stagedBytes;
    private int groupsOpen;
    private boolean sealed;
    private long nextSequence;
    private long filledSinceNanos;

    /** Over a file of the slab's capacity. */
    public JournalSegment(DiskFile file, Slab slab) {
        this.file = file;
        this.slab = slab;
        this.commitView = slab.bytes().duplicate();
    }

    /** The memory and its index. */
    public Slab slab() {
        return slab;
    }

    /** Which use of the file this is. */
    public int incarnation() {
        return incarnation;
    }

    /** Releases the file. */
    public void close() {
        file.close();
    }

    DiskFile file() {
        return file;
    }

    int capacityBytes() {
        return slab.bytes().capacity();
    }

    int stagedBytes() {
        return stagedBytes;
    }

    boolean isEmpty() {
        return stagedBytes == 0;
    }

    /** When the first record was staged, by the core loop's clock. */
    public long filledSinceNanos() {
        return filledSinceNanos;
    }

    void activate(int nextIncarnation) {
        slab.clear();
        incarnation = nextIncarnation;
        stagedBytes = 0;
        sealed = false;
    }

    void stagedUpTo(int bytes) {
        stagedBytes = bytes;
    }

    void groupOpened(long nowNanos) {
        if (stagedBytes == 0) {
            filledSinceNanos = nowNanos;
        }
        groupsOpen++;
    }

    void groupCommitted(int end) {
        groupsOpen--;
        slab.advanceDurable(end);
    }

    /** The sequence of the record that follows the last one here; known once sealed. */
    public long nextSequence() {
        return nextSequence;
    }

    void seal(long sequenceAfterLast) {
        sealed = true;
        nextSequence = sequenceAfterLast;
    }

    /** Whether nothing will be added and everything is durable. */
    boolean isReadyToFlush() {
        return sealed && groupsOpen == 0;
    }

    /** The bytes of a commit, ready to be written. */
    ByteBuffer commitBytes(int start, int end) {
        return commitView.limit(end).position(start);
    }
}
