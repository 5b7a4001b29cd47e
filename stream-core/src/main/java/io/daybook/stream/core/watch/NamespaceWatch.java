// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.watch;

import io.daybook.stream.Namespace.Change;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells its subscribers which streams of a prefix there are, and which come and go, by listing them again and again. Each subscriber has a watch of its own.
 *
 * <p><i>Threading:</i> any thread; subscribers are called on the loop of the environment.
 */
public final class NamespaceWatch implements Flow.Publisher<Change> {
    /** The watches of a namespace that have not ended. <i>Threading:</i> the loop of the environment. */
    public static final class Open {
        private final Set<WatchSubscription> subscriptions = new LinkedHashSet<>();
        private @Nullable Supplier<? extends Throwable> end;

        void add(WatchSubscription begun) {
            subscriptions.add(begun);
            if (end != null) {
                begun.fail(end.get());
            }
        }

        void remove(WatchSubscription ended) {
            subscriptions.remove(ended);
        }

        /** Ends all of them, and those that are yet to come, with this reason. */
        public void end(Supplier<? extends Throwable> reason) {
            end = reason;
            List.copyOf(subscriptions).forEach(open -> open.fail(reason.get()));
        }
    }

    /** What is looked at, and how often. */
    record Target(String prefix, long intervalNanos) {}

    private final StreamEnvironment environment;
    private final Open open;
    private final Target target;

    /** Of the streams whose names begin with {@code prefix}; looks again {@code intervalNanos} after each look. */
    public NamespaceWatch(StreamEnvironment environment, Open open, String prefix, long intervalNanos) {
        this.environment = environment;
        this.open = open;
        this.target = new Target(prefix, intervalNanos);
    }

    /** Tells a subscriber that it cannot watch. */
    public static void refuse(Flow.Subscriber<? super Change> subscriber, Throwable reason) {
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        });
        subscriber.onError(reason);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Change> subscriber) {
        Objects.requireNonNull(subscriber, "a subscriber is needed");
        environment.loop().execute(() -> new WatchSubscription(environment, open, target, subscriber).begin());
    }
}
