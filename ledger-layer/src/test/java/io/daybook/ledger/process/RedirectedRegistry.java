// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.process;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A registry that names another port for the bookie that listens on {@code port}. */
record RedirectedRegistry(BookieRegistry registry, int port, int otherPort) implements BookieRegistry {
    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        return registry.live()
                .thenApply(bookies -> bookies.stream().map(this::redirected).toList());
    }

    private BookieRegistration redirected(BookieRegistration bookie) {
        return bookie.port() != port
                ? bookie
                : new BookieRegistration(
                        bookie.bookieId(),
                        bookie.name(),
                        bookie.host(),
                        otherPort,
                        bookie.readOnly(),
                        bookie.rack(),
                        bookie.usableBytes());
    }

    @Override
    public Watch watchLive(Runnable listener) {
        return registry.watchLive(listener);
    }

    @Override
    public CompletableFuture<Void> addCookie(BookieCookie cookie) {
        return registry.addCookie(cookie);
    }

    @Override
    public CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
        return registry.cookie(bookieId);
    }

    @Override
    public CompletableFuture<List<BookieCookie>> cookies() {
        return registry.cookies();
    }

    @Override
    public CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
        return registry.register(registration, tokens);
    }
}
