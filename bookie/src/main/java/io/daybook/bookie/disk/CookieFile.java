// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The cookie as a file in a directory: UTF-8 lines {@code key=value}, the last of which is the CRC32C of all before it. It also says which of the
 * bookie's directories this one is, so that swapped directories are noticed.
 *
 * @param role such as {@code journal-0}
 */
public record CookieFile(BookieCookie cookie, String role) {
    /** The name of the file. */
    public static final String NAME = "cookie";

    private static final String FIRST_LINE = "daybook-bookie=1";

    /** Thrown when a cookie is there but cannot be read. */
    public static final class UnreadableCookieException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnreadableCookieException(String message) {
            super(message);
        }
    }

    /** Puts it into a directory, in the place of another one; durable on return. Throws {@link io.daybook.runtime.DiskException}. */
    public void write(Disk disk) {
        String text = FIRST_LINE + '\n'
                + "cluster=" + cookie.clusterId() + '\n'
                + "bookie=" + cookie.bookieId() + '\n'
                + "name=" + cookie.name().replaceAll("\\p{Cntrl}", " ") + '\n'
                + "directories=" + String.join(",", cookie.directories()) + '\n'
                + "this=" + role + '\n'
                + "formatted=" + cookie.formattedMillis() + '\n';
        String whole = text + "crc32c=" + checksum(text) + '\n';
        SmallFile.replace(disk, NAME, ByteBuffer.wrap(whole.getBytes(StandardCharsets.UTF_8)));
    }

    /** The cookie of a directory. Throws {@link UnreadableCookieException} and {@link io.daybook.runtime.DiskException}. */
    public static CookieFile read(Disk disk) {
        String whole = StandardCharsets.UTF_8.decode(SmallFile.read(disk, NAME)).toString();
        int last = whole.lastIndexOf("crc32c=");
        if (last < 0 || !whole.substring(last).equals("crc32c=" + checksum(whole.substring(0, last)) + '\n')) {
            throw new UnreadableCookieException("its checksum is wrong");
        }
        if (!whole.startsWith(FIRST_LINE + '\n')) {
            throw new UnreadableCookieException("it is of another version");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : whole.split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        try {
            BookieCookie cookie = new BookieCookie(
                    ClusterId.parse(value(values, "cluster")),
                    BookieId.parse(value(values, "bookie")),
                    value(values, "name"),
                    List.of(value(values, "directories").split(",", -1)),
                    Long.parseLong(value(values, "formatted")));
            return new CookieFile(cookie, value(values, "this"));
        } catch (IllegalArgumentException wrong) {
            throw new UnreadableCookieException(String.valueOf(wrong.getMessage()));
        }
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new UnreadableCookieException("it lacks '" + key + "'");
        }
        return value;
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }
}
