// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.format;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.wire.generated.CookieTable;
import io.daybook.protocol.wire.generated.Id128;
import io.daybook.protocol.wire.generated.RegistrationTable;
import io.daybook.protocol.wire.tables.MetadataShapes;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a bookie's values: its cookie and its registration. */
public final class BookieFormat {
    private static final int PORT_MAX = 65_535;

    private BookieFormat() {}

    /**
     * A registration as stored.
     *
     * @param token of the process that registered
     */
    public record StoredRegistration(BookieRegistration registration, WriteToken token) {}

    /** The value of a cookie. */
    public static byte[] encodeCookie(BookieCookie cookie) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int name = builder.createString(cookie.name());
        int directories =
                CookieTable.createDirectoriesVector(builder, TableCodec.strings(builder, cookie.directories()));
        CookieTable.startCookieTable(builder);
        CookieTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        CookieTable.addClusterId(builder, ClusterFormat.id(builder, cookie.clusterId()));
        CookieTable.addBookieId(builder, id(builder, cookie.bookieId()));
        CookieTable.addName(builder, name);
        CookieTable.addDirectories(builder, directories);
        CookieTable.addFormattedMillis(builder, cookie.formattedMillis());
        return TableCodec.finish(builder, CookieTable.endCookieTable(builder), MetadataShapes.COOKIE);
    }

    /** The cookie of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static BookieCookie decodeCookie(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.COOKIE, where, bytes -> {
            CookieTable table = CookieTable.getRootAsCookieTable(bytes);
            List<String> directories = new ArrayList<>(table.directoriesLength());
            for (int i = 0; i < table.directoriesLength(); i++) {
                directories.add(table.directories(i));
            }
            return new BookieCookie(
                    ClusterFormat.id(table.clusterId()),
                    id(table.bookieId()),
                    table.name(),
                    directories,
                    table.formattedMillis());
        });
    }

    /** The value of a registration; throws {@link IllegalArgumentException} for an impossible one. */
    public static byte[] encodeRegistration(BookieRegistration registration, WriteToken token) {
        check(registration);
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int name = builder.createString(registration.name());
        int host = builder.createString(registration.host());
        int rack = builder.createString(registration.rack());
        RegistrationTable.startRegistrationTable(builder);
        RegistrationTable.addFormatVersion(builder, TableCodec.FORMAT_VERSION);
        RegistrationTable.addToken(builder, TableCodec.token(builder, token));
        RegistrationTable.addBookieId(builder, id(builder, registration.bookieId()));
        RegistrationTable.addName(builder, name);
        RegistrationTable.addHost(builder, host);
        RegistrationTable.addPort(builder, registration.port());
        RegistrationTable.addReadOnly(builder, registration.readOnly());
        RegistrationTable.addRack(builder, rack);
        RegistrationTable.addUsableBytes(builder, registration.usableBytes());
        return TableCodec.finish(builder, RegistrationTable.endRegistrationTable(builder), MetadataShapes.REGISTRATION);
    }

    /** The registration of a value; fails with {@code UNREADABLE}, naming {@code where}. */
    public static StoredRegistration decodeRegistration(byte[] value, String where) {
        return TableCodec.decode(value, MetadataShapes.REGISTRATION, where, bytes -> {
            RegistrationTable table = RegistrationTable.getRootAsRegistrationTable(bytes);
            BookieRegistration registration = new BookieRegistration(
                    id(table.bookieId()),
                    table.name(),
                    table.host(),
                    table.port(),
                    table.readOnly(),
                    table.rack(),
                    table.usableBytes());
            check(registration);
            return new StoredRegistration(registration, TableCodec.token(table.token()));
        });
    }

    private static void check(BookieRegistration registration) {
        TableCodec.require(registration.port() >= 0 && registration.port() <= PORT_MAX, "an impossible port");
        TableCodec.require(registration.usableBytes() >= 0, "negative usable bytes");
    }

    static int id(FlatBufferBuilder builder, BookieId bookieId) {
        return Id128.createId128(builder, bookieId.high(), bookieId.low());
    }

    static BookieId id(Id128 id) {
        return new BookieId(id.high(), id.low());
    }
}
