// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

/** What a simulated disk is like: alignment, room, and how long its calls take (about; half of it is drawn). */
public record DiskQuality(int blockBytes, long capacityBytes, long readNanos, long writeNanos, long syncNanos) {
    /** A local solid-state disk of 1 GiB. */
    public static final DiskQuality SOLID_STATE = new DiskQuality(4096, 1L << 30, 80_000, 5_000, 400_000);

    /** Refuses a block size that is not a power of two and negative numbers with {@link IllegalArgumentException}. */
    public DiskQuality {
        if (Integer.bitCount(blockBytes) != 1 || blockBytes < 0) {
            throw new IllegalArgumentException("a block of " + blockBytes + " bytes is not a power of two");
        }
        if (capacityBytes < 0 || readNanos < 0 || writeNanos < 0 || syncNanos < 0) {
            throw new IllegalArgumentException("the quality of a disk has no negative part");
        }
    }

    /** The same disk with other room. */
    public DiskQuality withCapacity(long bytes) {
        return new DiskQuality(blockBytes, bytes, readNanos, writeNanos, syncNanos);
    }

    /** The same disk with other blocks. */
    public DiskQuality withBlock(int bytes) {
        return new DiskQuality(bytes, capacityBytes, readNanos, writeNanos, syncNanos);
    }
}
