// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Writes records as JSON objects, one a line: the labels, then {@code text} where the payload is UTF-8, else {@code base64}. */
final class JsonSink implements RecordSink {
    private final JsonGenerator json;

    JsonSink(OutputStream out) {
        try {
            json = new JsonFactoryBuilder().rootValueSeparator("").build().createGenerator(out);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public void write(ByteBuffer payload, Labels labels) throws IOException {
        json.writeStartObject();
        labels.writeTo(json);
        try {
            json.writeStringField(
                    "text",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(payload.duplicate())
                            .toString());
        } catch (CharacterCodingException binary) {
            byte[] bytes = new byte[payload.remaining()];
            payload.duplicate().get(bytes);
            json.writeBinaryField("base64", bytes);
        }
        json.writeEndObject();
        json.writeRaw('\n');
    }

    @Override
    public void flush() throws IOException {
        json.flush();
    }
}
