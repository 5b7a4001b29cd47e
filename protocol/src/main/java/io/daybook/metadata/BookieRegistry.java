// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.Optional;
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
     * {@link MetadataException.Code#ALREADY_EXISTS} when another live process is registered under that id. What a dead process left behind is
     * replaced at once when it is among {@code tokens.predecessors()}, else it is waited for.
     */
    CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens);

    /** The live bookies, in order of their ids. */
    CompletableFuture<List<BookieRegistration>> live();

    /** Tells {@code listener}, on a thread of the store, when the set of live bookies may have changed. */
    Watch watchLive(Runnable listener);

    /**
     * By what a process tells registrations of one bookie from each other.
     *
     * @param own carried by its own registration, and by no other one ever
     * @param predecessors of processes that are proved dead: their registrations are nobody's
     */
    record Tokens(WriteToken own, List<WriteToken> predecessors) {
        /** Copies the list. */
        public Tokens {
            predecessors = List.copyOf(predecessors);
        }

        /** Of a process that can prove nothing of others. */
        public static Tokens first(WriteToken own) {
            return new Tokens(own, List.of());
        }

        /** Whether a registration with that token is this process's, or a remnant that it may replace. */
        public boolean covers(WriteToken token) {
            return token.equals(own) || predecessors.contains(token);
        }
    }

    /** A registration that lasts until it is closed or lost. */
    interface Registration {
        /** Replaces what the bookie says of itself; {@link MetadataException.Code#ALREADY_EXISTS} when another process is registered in its place. */
        CompletableFuture<Void> update(BookieRegistration registration);

        /**
         * Completes, on a thread of the store, when another process was found registered under the id, which this one cannot prove dead (S-32). While the
         * store does not answer nobody finds out; after {@link #close} nobody looks.
         *
         * @return what the other process says of itself; empty when that cannot be read
         */
        CompletableFuture<Optional<BookieRegistration>> lost();

        /** Ends the registration. Idempotent. */
        CompletableFuture<Void> close();
    }
}
