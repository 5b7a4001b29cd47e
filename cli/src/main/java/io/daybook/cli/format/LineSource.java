// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Records that are lines with their line ends; a line that is too long becomes several records. */
final class LineSource implements RecordSource {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final InputStream in;
    private final int recordBytesMax;
    private byte[] buffer;
    private int start;
    private int end;

    LineSource(InputStream in, int recordBytesMax) {
        this.in = in;
        this.recordBytesMax = recordBytesMax;
        buffer = new byte[Math.min(BUFFER_BYTES, recordBytesMax)];
    }

    @Override
    public Optional<InputRecord> next() throws IOException {
        int searched = start;
        while (true) {
            int limit = Math.min(end, start + recordBytesMax);
            int lineEnd = endOfLine(searched, limit);
            if (lineEnd >= 0) {
                return Optional.of(take(lineEnd));
            }
            if (limit - start == recordBytesMax) {
                return Optional.of(take(limit));
            }
            int searchedBytes = limit - start;
            if (!fill()) {
                return end == start ? Optional.empty() : Optional.of(take(end));
            }
            searched = start + searchedBytes;
        }
    }

    /** The position after the first line feed in a range, -1 for none. */
    private int endOfLine(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private InputRecord take(int to) {
        byte[] payload = Arrays.copyOfRange(buffer, start, to);
        start = to;
        return InputRecord.of(payload);
    }

    /** Reads more bytes behind those that are there; false at the end of the input. */
    private boolean fill() throws IOException {
        if (end == buffer.length) {
            byte[] next = start > 0 ? buffer : new byte[Math.min(buffer.length * 2, recordBytesMax)];
            System.arraycopy(buffer, start, next, 0, end - start);
            buffer = next;
            end -= start;
            start = 0;
        }
        int count = in.read(buffer, end, buffer.length - end);
        end += Math.max(count, 0);
        return count >= 0;
    }
}
