// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import io.netty.buffer.ByteBuf;

/** Checks on frames before they are read. */
final class WireBytes {
    private WireBytes() {}

    /** Throws {@link BadFrameException} unless the frame has between {@code min} and {@code max} bytes. */
    static void requireLength(ByteBuf frame, int min, int max, String what) {
        int length = frame.readableBytes();
        if (length < min || length > max) {
            throw new BadFrameException("the frame of a " + what + " has " + length + " bytes");
        }
    }
}
