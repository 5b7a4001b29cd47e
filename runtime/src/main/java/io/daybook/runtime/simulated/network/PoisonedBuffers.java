// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Buffers whose memory is filled with {@code 0xDB} when they are released, so that whoever still looks at it notices; and a count of those not released.
 * Large memory is used again, poison and all, but only after it has rested while others were released.
 */
public final class PoisonedBuffers {
    private static final byte POISON = (byte) 0xDB;
    private static final int REUSED_BYTES_MIN = 8 * 1024;
    private static final int RESTING_MIN = 8;

    private final Map<Integer, ArrayDeque<byte[]>> restingBySize = new TreeMap<>();
    private long outstanding;

    /** Buffers that were handed out and not released yet. */
    public long outstanding() {
        return outstanding;
    }

    ByteBuf allocate(int capacityBytes) {
        return new Heap(memory(capacityBytes), Integer.MAX_VALUE);
    }

    private byte[] memory(int bytes) {
        ArrayDeque<byte[]> resting = bytes < REUSED_BYTES_MIN ? null : restingBySize.get(bytes);
        return resting == null || resting.size() < RESTING_MIN ? new byte[bytes] : resting.remove();
    }

    private void rest(byte[] memory) {
        Arrays.fill(memory, POISON);
        if (memory.length >= REUSED_BYTES_MIN) {
            restingBySize
                    .computeIfAbsent(memory.length, none -> new ArrayDeque<>())
                    .add(memory);
        }
    }

    ByteBuf holding(byte[] bytes, boolean direct) {
        ByteBuf buffer = direct
                ? new Direct(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip())
                : new Heap(bytes, bytes.length);
        return buffer.writerIndex(bytes.length);
    }

    private final class Heap extends UnpooledHeapByteBuf {
        private Heap(byte[] memory, int capacityMax) {
            super(UnpooledByteBufAllocator.DEFAULT, memory, capacityMax);
            writerIndex(0);
            outstanding++;
        }

        @Override
        protected void freeArray(byte[] array) {
            rest(array);
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            outstanding--;
        }
    }

    /** Its memory goes back to the collector and not to the system, so that a late look at it finds poison instead of ending the JVM. */
    private final class Direct extends UnpooledDirectByteBuf {
        private final ByteBuffer memory;

        private Direct(ByteBuffer memory) {
            super(UnpooledByteBufAllocator.DEFAULT, memory, memory.remaining());
            this.memory = memory;
            outstanding++;
        }

        @Override
        protected void deallocate() {
            for (int i = 0; i < memory.capacity(); i++) {
                memory.put(i, POISON);
            }
            super.deallocate();
            outstanding--;
        }
    }
}
