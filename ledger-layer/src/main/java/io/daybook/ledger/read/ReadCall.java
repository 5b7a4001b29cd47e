// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import java.util.concurrent.CompletableFuture;

/** A call on a reader and the future that its caller holds. */
final class ReadCall<T> {
    private final CompletableFuture<T> outcome;

    ReadCall(CompletableFuture<T> outcome) {
        this.outcome = outcome;
    }

    CompletableFuture<T> outcome() {
        return outcome;
    }

    boolean isDone() {
        return outcome.isDone();
    }
}
