// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** One action on many things at the same time, each on a thread that ends with it. */
final class AllAtOnce {
    private AllAtOnce() {}

    /** Returns when all are done; throws the first failure, with the others attached to it. */
    static <T> void run(List<T> things, Consumer<T> action) {
        List<CompletableFuture<Void>> outcomes = new ArrayList<>();
        for (T thing : things) {
            CompletableFuture<Void> outcome = new CompletableFuture<>();
            outcomes.add(outcome);
            new Thread(() -> complete(outcome, thing, action), "daybook-cluster").start();
        }
        Optional<RuntimeException> first = Optional.empty();
        for (CompletableFuture<Void> outcome : outcomes) {
            try {
                outcome.join();
            } catch (CompletionException failure) {
                RuntimeException cause = failure.getCause() instanceof RuntimeException known ? known : failure;
                first.ifPresent(earlier -> earlier.addSuppressed(cause));
                first = Optional.of(first.orElse(cause));
            }
        }
        first.ifPresent(failure -> {
            throw failure;
        });
    }

    private static <T> void complete(CompletableFuture<Void> outcome, T thing, Consumer<T> action) {
        try {
            action.accept(thing);
            outcome.complete(null);
        } catch (RuntimeException | Error failure) {
            outcome.completeExceptionally(failure);
        }
    }
}
