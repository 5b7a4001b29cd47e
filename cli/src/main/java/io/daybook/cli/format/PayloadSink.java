// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Base64;

/** Writes payloads one after the other, without labels. */
final class PayloadSink implements RecordSink {
    /** What tells one record from the next. */
    enum Frame {
        /** Nothing: the payloads themselves. */
        NONE,
        /** A line of Base64 each. */
        BASE64_LINE,
        /** The length in front. */
        LENGTH
    }

    private final OutputStream out;
    private final Frame frame;

    PayloadSink(OutputStream out, Frame frame) {
        this.out = out;
        this.frame = frame;
    }

    @Override
    public void write(ByteBuffer payload, Labels labels) throws IOException {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        switch (frame) {
            case NONE -> out.write(bytes);
            case BASE64_LINE -> {
                out.write(Base64.getEncoder().encode(bytes));
                out.write('\n');
            }
            case LENGTH -> {
                out.write(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(0, bytes.length)
                        .array());
                out.write(bytes);
            }
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
