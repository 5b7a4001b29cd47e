// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A registry that is another one, but for what it says of which bookies live. */
public interface ForwardingRegistry extends BookieRegistry {
    /** The other one. */
    BookieRegistry registry();

    @Override
    default Watch watchLive(Runnable listener) {
        return registry().watchLive(listener);
    }

    @Override
    default CompletableFuture<Void> addCookie(BookieCookie cookie) {
        return registry().addCookie(cookie);
    }

    @Override
    default CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
        return registry().cookie(bookieId);
    }

    @Override
    default CompletableFuture<List<BookieCookie>> cookies() {
        return registry().cookies();
    }

    @Override
    default CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
        return registry().register(registration, tokens);
    }
}
