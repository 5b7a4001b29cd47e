// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.runtime.waiting.InternalLoops;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Futures as they are handed to callers. */
public final class Outcomes {
    private Outcomes() {}

    /** A future that ends as {@code source} does, with the same failure and no wrapper around it; completing it changes nothing here. */
    public static <T> CompletableFuture<T> view(CompletableFuture<T> source, InternalLoops internal) {
        CompletableFuture<T> view = internal.future();
        source.whenComplete((value, failure) -> settle(view, value, failure));
        return view;
    }

    /** Completes {@code future} with one of the two. */
    public static <T> void settle(CompletableFuture<T> future, @Nullable T value, @Nullable Throwable failure) {
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(value);
        }
    }
}
