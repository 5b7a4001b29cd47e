// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.watch;

import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.runtime.Timer;
import io.daybook.stream.Namespace.Change;
import io.daybook.stream.Namespace.Change.Kind;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.ArrayDeque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber's watch. It compares page after page of a listing with the names that it has told, and goes on to the next page when the subscriber has taken what the page
 * changed: it keeps the names, and the changes of one page.
 *
 * <p><i>States:</i> looking (a page is on its way), telling (changes wait for demand), resting (until the interval is over), over.
 * <i>Invariants:</i> a name is told as deleted only when a page that was read whole passes it over (M7); a listing that fails ends the watch with its failure.
 * <i>Threading:</i> the loop of the environment.
 */
final class WatchSubscription implements Flow.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(WatchSubscription.class);
    private static final int PAGE_COUNT = 1000;

    private final StreamEnvironment environment;
    private final NamespaceWatch.Open open;
    private final NamespaceWatch.Target target;
    private final Flow.Subscriber<? super Change> subscriber;
    private final NavigableSet<String> told = new TreeSet<>(StreamNames.ORDER);
    private final Queue<Change> changes = new ArrayDeque<>();
    private Kind ofNewNames = Kind.PRESENT;
    private long demand;
    private boolean isOver;

    /** After which name the listing goes on when all is told; nothing while a page is on its way or the watch rests. */
    private @Nullable String goOnAfter;

    /** Ends the rest. */
    private @Nullable Timer rest;

    /** Whether the page before was the last one. */
    private boolean isWhole;

    WatchSubscription(
            StreamEnvironment environment,
            NamespaceWatch.Open open,
            NamespaceWatch.Target target,
            Flow.Subscriber<? super Change> subscriber) {
        this.environment = environment;
        this.open = open;
        this.target = target;
        this.subscriber = subscriber;
    }

    void begin() {
        call(() -> subscriber.onSubscribe(this));
        if (!isOver) {
            open.add(this);
            look("");
        }
    }

    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            LOG.warn("a subscriber threw, which ends its watch of prefix '{}'", target.prefix(), thrown);
            end();
        }
    }

    private void look(String after) {
        if (isOver) {
            return;
        }
        environment
                .onLoop(environment.metadata().list(target.prefix(), after, PAGE_COUNT))
                .whenComplete((page, failure) -> {
                    if (failure != null) {
                        fail(StreamFailures.of(target.prefix(), "list the streams of this prefix", failure));
                    } else if (!isOver) {
                        compare(after, page);
                        tell();
                    }
                });
    }

    /** Names between the end of the page before and the end of this one. */
    private void compare(String after, Page<String> page) {
        List<String> names = page.items();
        NavigableSet<String> there = new TreeSet<>(StreamNames.ORDER);
        there.addAll(names);
        NavigableSet<String> known = told.tailSet(after, after.isEmpty());
        if (!page.isLast()) {
            known = known.headSet(names.get(names.size() - 1), true);
        }
        List<String> gone = known.stream().filter(name -> !there.contains(name)).toList();
        gone.forEach(name -> changes.add(new Change(Kind.DELETED, name)));
        names.stream().filter(name -> !told.contains(name)).forEach(name -> changes.add(new Change(ofNewNames, name)));
        gone.forEach(told::remove);
        told.addAll(names);
        isWhole = page.isLast();
        goOnAfter = isWhole ? "" : names.get(names.size() - 1);
    }

    private void tell() {
        while (!isOver && demand > 0 && !changes.isEmpty()) {
            Change change = changes.remove();
            demand--;
            call(() -> subscriber.onNext(change));
        }
        String after = goOnAfter;
        if (isOver || after == null || !changes.isEmpty()) {
            return;
        }
        goOnAfter = null;
        if (isWhole) {
            ofNewNames = Kind.CREATED;
            rest = environment.loop().schedule(target.intervalNanos(), () -> look(after));
        } else {
            look(after);
        }
    }

    @Override
    public void request(long count) {
        environment.loop().execute(() -> {
            if (count <= 0) {
                fail(new IllegalArgumentException(
                        "a subscriber requested " + count + " changes; at least 1 is needed"));
            } else if (!isOver) {
                demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
                tell();
            }
        });
    }

    @Override
    public void cancel() {
        environment.loop().execute(this::end);
    }

    /** The last thing the subscriber hears. */
    void fail(Throwable reason) {
        if (!isOver) {
            end();
            call(() -> subscriber.onError(reason));
        }
    }

    private void end() {
        isOver = true;
        if (rest != null) {
            rest.cancel();
        }
        demand = 0;
        changes.clear();
        told.clear();
        open.remove(this);
    }
}
