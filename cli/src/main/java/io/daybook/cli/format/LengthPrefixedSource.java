// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/** Records behind their lengths. */
final class LengthPrefixedSource implements RecordSource {
    private final DataInputStream in;
    private final int recordBytesMax;
    private long recordNumber;

    LengthPrefixedSource(DataInputStream in, int recordBytesMax) {
        this.in = in;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public Optional<InputRecord> next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        recordNumber++;
        try {
            int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
            if (length < 0 || length > recordBytesMax) {
                throw new MalformedInputException("record " + recordNumber + " of the input claims "
                        + Integer.toUnsignedString(length) + " bytes; a record has at most " + recordBytesMax);
            }
            byte[] payload = new byte[length];
            in.readFully(payload);
            return Optional.of(InputRecord.of(payload));
        } catch (EOFException cut) {
            throw new MalformedInputException("the input ends inside record " + recordNumber);
        }
    }
}
