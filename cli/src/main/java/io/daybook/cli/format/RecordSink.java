// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes records as bytes of a format. */
public interface RecordSink {
    /** One record; {@code labels} are written where the format has room for them. */
    void write(ByteBuffer payload, Labels labels) throws IOException;

    /** Gives everything to the operating system. */
    void flush() throws IOException;

    /** What stands beside the payload of a record. */
    @FunctionalInterface
    interface Labels {
        /** Adds them as fields of the object that was begun. */
        void writeTo(JsonGenerator json) throws IOException;
    }
}
