// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.bookies.BookieLinks;
import io.daybook.ledger.bookies.LiveBookies;
import io.daybook.ledger.handle.DamageReports;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Listeners;
import io.daybook.ledger.placement.SpreadPlacement;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.waiting.InternalLoops;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One loop of a client with everything that lives on it: links, handles and calls under way.
 *
 * <p><i>Threading:</i> {@link #run} and {@link #shutdown} may be called from any thread, everything else on the loop.
 */
final class ClientLoop {
    private static final long QUARANTINE_NANOS = 30_000_000_000L;
    /** What other threads have queued just before the end is still answered by the loop within this time. */
    private static final long GRACE_NANOS = 50_000_000L;
    /** So long may adds that are under way take to be answered: who ends right after an append leaves whole write quorums. */
    private static final long LAST_COPIES_NANOS = 1_000_000_000L;

    private final EventLoop loop;
    private final HandleContext context;
    private final Set<PendingCall<?>> calls = new LinkedHashSet<>();
    private final Map<Long, Runnable> handles = new TreeMap<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long lastHandle;
    private boolean isEnding;

    ClientLoop(Ground ground, int number) {
        LedgerClientConfig config = ground.config;
        Host host = ground.host;
        MetadataStores stores = ground.stores;
        this.loop = host.newLoop("ledger-client-" + number, Host.LoopKind.NETWORK);
        ground.internal.add(loop);
        RandomSource random = host.random().fork("ledger-client-" + number);
        LiveBookies bookies =
                new LiveBookies(loop, stores.bookies(), config.timeouts().add());
        BookieLinks.Reach reach = new BookieLinks.Reach(
                host.network(), ground.clusterId, config.connectTimeout().toNanos());
        Listeners listeners = new Listeners(loop);
        this.context = new HandleContext(
                loop,
                new BookieLinks(loop, reach, bookies, config.bounds()),
                bookies,
                new SpreadPlacement(random.fork("placement"), config.placementRules(), QUARANTINE_NANOS),
                stores.ledgers(),
                random,
                host.faults(),
                config.timeouts(),
                new DamageReports(loop, host.faults(), listeners),
                listeners,
                ground.internal,
                ended);
        bookies.addListener(() -> context.placement().learn(bookies.all()));
    }

    /** What all loops of a client stand on. */
    record Ground(
            LedgerClientConfig config, Host host, MetadataStores stores, ClusterId clusterId, InternalLoops internal) {}

    EventLoop loop() {
        return loop;
    }

    HandleContext context() {
        return context;
    }

    /** Makes a call on the loop. It fails with {@link LedgerException.HandleClosed} when the client is shut down first. */
    <T> CompletableFuture<T> run(Consumer<PendingCall<T>> task) {
        PendingCall<T> call = new PendingCall<>(context.internal().future(), calls::remove);
        boolean queued = context.run(() -> {
            if (isEnding) {
                call.fail(closedFailure(Outcome.FAILED));
                return;
            }
            calls.add(call);
            call.attempt(() -> task.accept(call));
        });
        if (!queued) {
            call.outcome().completeExceptionally(closedFailure(Outcome.FAILED));
        }
        call.outcome().whenComplete((value, failure) -> {
            if (call.outcome().isCancelled()) {
                context.run(() -> calls.remove(call));
            }
        });
        return call.outcome();
    }

    /** Keeps a handle, to be ended with the client by {@code end}, until {@code done} completes. */
    void keep(CompletableFuture<?> done, Runnable end) {
        long number = ++lastHandle;
        handles.put(number, end);
        done.whenComplete((value, failure) -> handles.remove(number));
    }

    /** Ends all handles and calls, gives adds under way a moment to arrive, closes the links, then the loop. */
    CompletableFuture<Void> shutdown() {
        context.run(() -> {
            if (isEnding) {
                return;
            }
            isEnding = true;
            List.copyOf(handles.values()).forEach(Runnable::run);
            List.copyOf(calls).forEach(call -> call.fail(closedFailure(Outcome.UNKNOWN)));
            context.links().whenAddsAnswered(LAST_COPIES_NANOS, this::closeLinks);
        });
        return ended;
    }

    private void closeLinks() {
        context.links().close();
        context.bookies().close();
        // One turn later the links are flushed.
        loop.execute(() -> {
            ended.complete(null);
            loop.schedule(GRACE_NANOS, loop::close);
        });
    }

    private static LedgerException closedFailure(Outcome outcome) {
        return new LedgerException.HandleClosed("the ledger client is closed", outcome);
    }
}
