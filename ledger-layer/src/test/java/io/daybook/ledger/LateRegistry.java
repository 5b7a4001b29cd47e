// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A registry that takes its time to say which bookies live. */
record LateRegistry(SimulatedWorld world, BookieRegistry registry, long delayNanos) implements ForwardingRegistry {
    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        CompletableFuture<List<BookieRegistration>> late = new CompletableFuture<>();
        world.after(delayNanos, () -> registry.live().thenAccept(late::complete));
        return late;
    }
}
