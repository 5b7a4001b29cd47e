// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** Records that are lines of Base64; an empty line is an empty record. */
final class Base64Source implements RecordSource {
    private final RecordSource lines;
    private final int recordBytesMax;
    private final int lineBytesMax;
    private long lineNumber;

    Base64Source(InputStream in, int recordBytesMax) {
        this.recordBytesMax = recordBytesMax;
        // Four characters for three bytes, padding, a two-byte line end, and one more to see that it is too long.
        lineBytesMax = Math.toIntExact((recordBytesMax + 2L) / 3 * 4 + 3);
        lines = new LineSource(in, lineBytesMax);
    }

    @Override
    public Optional<InputRecord> next() throws IOException {
        Optional<InputRecord> line = lines.next();
        if (line.isEmpty()) {
            return line;
        }
        lineNumber++;
        byte[] text = line.get().payload().array();
        if (text.length >= lineBytesMax) {
            throw tooLarge();
        }
        byte[] payload;
        try {
            payload = Base64.getDecoder().decode(withoutLineEnd(text));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedInputException("line " + lineNumber + " is not Base64: " + malformed.getMessage());
        }
        if (payload.length > recordBytesMax) {
            throw tooLarge();
        }
        return Optional.of(InputRecord.of(payload));
    }

    private MalformedInputException tooLarge() {
        return new MalformedInputException(
                "line " + lineNumber + " holds more than the " + recordBytesMax + " bytes that a record may have");
    }

    private static byte[] withoutLineEnd(byte[] line) {
        int end = line.length;
        if (end > 0 && line[end - 1] == '\n') {
            end--;
            if (end > 0 && line[end - 1] == '\r') {
                end--;
            }
        }
        return Arrays.copyOf(line, end);
    }
}
