// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.process;

import io.daybook.ledger.ForwardingRegistry;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.model.BookieRegistration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A registry that names another port for the bookie that listens on {@code port}. */
record RedirectedRegistry(BookieRegistry registry, int port, int otherPort) implements ForwardingRegistry {
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
}
