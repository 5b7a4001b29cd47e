// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Records that are JSON objects with {@code text} or {@code base64}, and perhaps {@code transactionId}. Positions that reading wrote are passed over. */
final class JsonSource implements RecordSource {
    private final JsonParser json;
    private final int recordBytesMax;
    private long recordNumber;

    JsonSource(InputStream in, int recordBytesMax) {
        this.recordBytesMax = recordBytesMax;
        try {
            json = new JsonFactory().createParser(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public Optional<InputRecord> next() throws IOException {
        recordNumber++;
        try {
            JsonToken token = json.nextToken();
            if (token == null) {
                return Optional.empty();
            }
            if (token != JsonToken.START_OBJECT) {
                throw wrong("is not a JSON object");
            }
            return Optional.of(object());
        } catch (JsonProcessingException malformed) {
            throw wrong("is not JSON: " + malformed.getOriginalMessage());
        }
    }

    private InputRecord object() throws IOException {
        OptionalLong transactionId = OptionalLong.empty();
        byte @Nullable [] payload = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "transactionId" -> transactionId = OptionalLong.of(number());
                case "text" -> payload = utf8(string(name));
                case "base64" -> payload = base64(name);
                case "position", "sequenceId", "ledgerId", "entryId" -> json.skipChildren();
                default -> throw wrong("has the unknown field '" + name + "'; use transactionId, text, base64");
            }
        }
        if (payload == null) {
            throw wrong("has neither 'text' nor 'base64'");
        }
        if (payload.length > recordBytesMax) {
            throw wrong("has " + payload.length + " bytes; a record has at most " + recordBytesMax);
        }
        return new InputRecord(transactionId, ByteBuffer.wrap(payload));
    }

    private long number() throws IOException {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw wrong("has a transactionId that is not a whole number");
        }
        return json.getLongValue();
    }

    private String string(String name) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong("has a value of '" + name + "' that is not a string");
        }
        return json.getText();
    }

    private byte[] utf8(String text) throws IOException {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] payload = new byte[bytes.remaining()];
            bytes.get(payload);
            return payload;
        } catch (CharacterCodingException half) {
            throw wrong("has half a surrogate pair in its text");
        }
    }

    private byte[] base64(String name) throws IOException {
        string(name);
        return json.getBinaryValue();
    }

    private MalformedInputException wrong(String what) {
        return new MalformedInputException("record " + recordNumber + " of the input " + what);
    }
}
