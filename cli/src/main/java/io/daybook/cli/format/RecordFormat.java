// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;

/** How records stand in a file or a pipe. */
public enum RecordFormat {
    /** A record is a line with its line end, so that written and read again the bytes are the same, whatever they are. */
    LINES,
    /** A record is a JSON object. */
    JSON,
    /** A record is a line of Base64. */
    BASE64,
    /** A record is its length in 4 bytes, highest first, and then its bytes. */
    LENGTH_PREFIXED;

    private static final int BUFFER_BYTES = 64 * 1024;

    /** Cuts {@code in} into records of at most {@code recordBytesMax} bytes: longer lines are cut, longer records of other formats are refused. */
    public RecordSource source(InputStream in, int recordBytesMax) {
        return switch (this) {
            case LINES -> new LineSource(in, recordBytesMax);
            case JSON -> new JsonSource(in, recordBytesMax);
            case BASE64 -> new Base64Source(in, recordBytesMax);
            case LENGTH_PREFIXED ->
                new LengthPrefixedSource(
                        new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES)), recordBytesMax);
        };
    }

    /** Writes records to {@code out}. */
    public RecordSink sink(OutputStream out) {
        OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
        return switch (this) {
            case LINES -> new PayloadSink(buffered, PayloadSink.Frame.NONE);
            case JSON -> new JsonSink(buffered);
            case BASE64 -> new PayloadSink(buffered, PayloadSink.Frame.BASE64_LINE);
            case LENGTH_PREFIXED -> new PayloadSink(buffered, PayloadSink.Frame.LENGTH);
        };
    }

    /** As it is typed: {@code length-prefixed}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
