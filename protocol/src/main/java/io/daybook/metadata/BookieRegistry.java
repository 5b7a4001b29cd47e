// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Bookies: all that were formatted, and those that are alive. */
public interface BookieRegistry {
    /** Stores the cookie of a newly formatted bookie; {@link MetadataException.Code#ALREADY_EXISTS} when the id is taken. */
    CompletableFuture<Void> addCookie(BookieCookie cookie);

    /** Reads the cookie of a bookie; {@link MetadataException.Code#NOT_FOUND} when no such bookie was formatted. */
    CompletableFuture<BookieCookie> cookie(BookieId bookieId);

    /** All formatted bookies, in order of their ids. */
    CompletableFuture<List<BookieCookie>> cookies();

    /**
     * Registers a live bookie until the handle is closed. The store keeps the registration alive over lost sessions by itself.
     * {@link MetadataException.Code#ALREADY_EXISTS} when another live process is registered under that id; a remnant of the same bookie's
     * previous process is waited for or replaced.
     */
    CompletableFuture<Registration> register(BookieRegistration registration);

    /** The live bookies, in order of their ids. */
    CompletableFuture<List<BookieRegistration>> live();

    /** Tells {@code listener}, on a thread of the store, when the set of live bookies may have changed. */
    Watch watchLive(Runnable listener);

    /** A registration that lasts until it is closed. */
    interface Registration {
        /** Replaces what the bookie says of itself. */
        CompletableFuture<Void> update(BookieRegistration registration);

        /** Ends the registration. Idempotent. */
        CompletableFuture<Void> close();
    }
}
