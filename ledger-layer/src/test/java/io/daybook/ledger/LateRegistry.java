// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A registry that takes its time to say which bookies live. */
record LateRegistry(SimulatedWorld world, BookieRegistry registry, long delayNanos) implements BookieRegistry {
    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        CompletableFuture<List<BookieRegistration>> late = new CompletableFuture<>();
        world.after(delayNanos, () -> registry.live().thenAccept(late::complete));
        return late;
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
