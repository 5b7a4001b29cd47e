// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The registry of bookies as one process of a simulated world sees it. Its changes are settled by the store: none is of unknown outcome. */
final class SimulatedRegistry implements BookieRegistry {
    private final BookieRegistry registry;
    private final MetadataSession session;

    SimulatedRegistry(BookieRegistry registry, MetadataSession session) {
        this.registry = registry;
        this.session = session;
    }

    @Override
    public CompletableFuture<Void> addCookie(BookieCookie cookie) {
        return session.settled(() -> registry.addCookie(cookie));
    }

    @Override
    public CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
        return session.ask(() -> registry.cookie(bookieId));
    }

    @Override
    public CompletableFuture<List<BookieCookie>> cookies() {
        return session.ask(registry::cookies);
    }

    @Override
    public CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
        return session.settled(() -> registry.register(registration, tokens)).thenApply(Kept::new);
    }

    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        return session.ask(registry::live);
    }

    @Override
    public Watch watchLive(Runnable listener) {
        return session.watch(registry::watchLive, listener);
    }

    private final class Kept implements Registration {
        private final Registration made;

        private Kept(Registration made) {
            this.made = made;
        }

        @Override
        public CompletableFuture<Void> update(BookieRegistration registration) {
            return session.settled(() -> made.update(registration));
        }

        @Override
        public CompletableFuture<Optional<BookieRegistration>> lost() {
            return session.heard(made.lost());
        }

        @Override
        public CompletableFuture<Void> close() {
            return session.settled(made::close);
        }
    }
}
