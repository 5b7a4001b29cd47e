// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.zip.CRC32C;

/** What may be the name of a stream, and the order of names. */
public final class StreamNames {
    /** UTF-8 bytes of the longest name: encoded as a name of a file or a node it still fits everywhere. */
    public static final int NAME_BYTES_MAX = 512;

    /** The order of listings: that of the names' UTF-8 bytes, which is that of their code points. */
    public static final Comparator<String> ORDER = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    /** The number of buckets over which names are spread. */
    public static final int BUCKET_COUNT = 4_096;

    private StreamNames() {}

    /** The bucket of a name, from 0: the lowest bits of the CRC-32C of its UTF-8 bytes. */
    public static int bucket(String name) {
        CRC32C crc = new CRC32C();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() & (BUCKET_COUNT - 1));
    }

    /** Throws {@link IllegalArgumentException} unless the text is 1 to 512 bytes of well-formed Unicode. */
    public static void check(String name) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            if (bytes.remaining() < 1 || bytes.remaining() > NAME_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "a stream's name has 1 to " + NAME_BYTES_MAX + " bytes, not " + bytes.remaining());
            }
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException("a stream's name is well-formed Unicode", malformed);
        }
    }

    /** The name between quotes, on one line whatever it holds, for messages. */
    public static String quoted(String name) {
        StringBuilder quoted = new StringBuilder(name.length() + 2).append('\'');
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            boolean isPlain = character >= ' ' && character != '\u007f' && !isBreak(character);
            if (isPlain) {
                quoted.append(character);
            } else {
                quoted.append(String.format("\\u%04x", (int) character));
            }
        }
        return quoted.append('\'').toString();
    }

    private static boolean isBreak(char character) {
        return (character >= '\u0080' && character <= '\u009f') || character == '\u2028' || character == '\u2029';
    }
}
