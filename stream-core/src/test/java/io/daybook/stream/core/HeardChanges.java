// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.stream.Namespace.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Keeps what a watch tells. <i>Threading:</i> any thread. */
final class HeardChanges implements Flow.Subscriber<Change> {
    private final List<Change> changes = new ArrayList<>();
    private final List<CompletableFuture<Change>> waiting = new ArrayList<>();
    private final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscribed.complete(subscription);
    }

    @Override
    public synchronized void onNext(Change change) {
        changes.add(change);
        if (!waiting.isEmpty()) {
            waiting.remove(0).complete(change);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
        fail(failure);
    }

    private synchronized void fail(Throwable failure) {
        waiting.forEach(next -> next.completeExceptionally(failure));
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }

    void request(long count) {
        subscribed.thenAccept(subscription -> subscription.request(count));
    }

    void cancel() {
        subscribed.thenAccept(Flow.Subscription::cancel);
    }

    /** The change that is told next. */
    synchronized CompletableFuture<Change> next() {
        CompletableFuture<Change> next = new CompletableFuture<>();
        waiting.add(next);
        return next;
    }

    synchronized List<Change> all() {
        return List.copyOf(changes);
    }

    CompletableFuture<Void> end() {
        return end;
    }
}
