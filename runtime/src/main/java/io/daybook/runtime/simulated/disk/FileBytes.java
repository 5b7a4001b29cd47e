// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bytes of one version of a file, in memory. */
final class FileBytes {
    private byte[] bytes;
    private int size;

    FileBytes() {
        this(new byte[0], 0);
    }

    private FileBytes(byte[] bytes, int size) {
        this.bytes = bytes;
        this.size = size;
    }

    FileBytes copy() {
        return new FileBytes(Arrays.copyOf(bytes, size), size);
    }

    long size() {
        return size;
    }

    void write(long position, ByteBuffer source) {
        int count = source.remaining();
        resize(Math.max(size, position + count));
        source.get(source.position(), bytes, (int) position, count);
    }

    /** Cuts or extends with zeros. */
    void resize(long newSize) {
        int target = Math.toIntExact(newSize);
        if (target > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(target, (int) Math.min(Integer.MAX_VALUE - 8, bytes.length * 2L)));
        }
        if (target < size) {
            Arrays.fill(bytes, target, size, (byte) 0);
        }
        size = target;
    }

    int read(long position, ByteBuffer target) {
        if (position >= size) {
            return 0;
        }
        int count = (int) Math.min(target.remaining(), size - position);
        target.put(bytes, (int) position, count);
        return count;
    }

    /** Changes a byte, if there is one at that position. */
    void flipBits(long position, int mask) {
        if (position < size) {
            bytes[Math.toIntExact(position)] ^= (byte) mask;
        }
    }
}
