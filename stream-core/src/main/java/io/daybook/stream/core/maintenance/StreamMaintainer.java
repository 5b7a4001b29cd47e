// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.Page;
import io.daybook.runtime.Timer;
import io.daybook.stream.core.segment.StreamEnvironment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps all streams of a namespace in order while it is the elected one: applies retention, finishes deletions that were cut short, gives back truncated space, deletes
 * orphaned ledgers. Every process may have one; a lock elects who works.
 *
 * <p><i>States:</i> see {@link State}. <i>Invariants:</i> M5: the lock saves work only; everything is done by compare-and-set and by proofs, so that two who work at once
 * are harmless. One stream at a time. <i>Threading:</i> the loop of the environment, but {@link #start} and {@link #close}.
 */
public final class StreamMaintainer {
    /** The name of the lock. */
    public static final String LOCK = "stream-maintainer";

    private static final Logger LOG = LoggerFactory.getLogger(StreamMaintainer.class);
    private static final int NAMES_COUNT = 500;
    private static final int LEDGERS_COUNT = 200;
    private static final long ELECTION_NANOS = 20_000_000_000L;
    private static final int ELECTION_MILLIS_SPREAD = 20_000;

    private enum State {
        /** Another one works, or nobody can be elected now; it tries again after a while. */
        STANDING_BY,
        /** It is elected and between two passes. */
        RESTING,
        /** It is elected and looks after streams, then after ledgers. */
        WORKING,
        /** Closed by its owner. */
        CLOSED
    }

    private final StreamEnvironment environment;
    private final MaintenanceConfig config;
    private final Consumer<MaintenanceReport> afterPass;
    private final ArrayDeque<String> names = new ArrayDeque<>();
    private State state = State.STANDING_BY;
    private MaintenanceReport report = MaintenanceReport.NONE;
    private long nextOrphanSearchNanos;
    private @Nullable Hold hold;
    private @Nullable Timer timer;

    /** Does nothing before it is started; {@code afterPass} is told, on the loop, what each pass did. */
    public StreamMaintainer(
            StreamEnvironment environment, MaintenanceConfig config, Consumer<MaintenanceReport> afterPass) {
        this.environment = environment;
        this.config = config;
        this.afterPass = afterPass;
    }

    /** Begins to stand for election. */
    public void start() {
        environment.loop().execute(() -> {
            nextOrphanSearchNanos = environment.loop().nanoTime();
            elect();
        });
    }

    /** Ends its work after the step that is under way and gives the lock back. Idempotent. */
    public void close() {
        environment.loop().execute(() -> {
            state = State.CLOSED;
            cancelTimer();
            giveUpLock();
        });
    }

    private void giveUpLock() {
        Hold held = hold;
        hold = null;
        if (held != null) {
            held.release();
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void later(State next, long nanos, Runnable task) {
        state = next;
        cancelTimer();
        timer = environment.loop().schedule(nanos, task);
    }

    /** Does {@code then} with the outcome, unless this was closed meanwhile. */
    private <T> void after(CompletableFuture<T> work, Consumer<T> then, Consumer<Throwable> failed) {
        work.whenComplete((value, failure) -> {
            if (state == State.CLOSED) {
                giveUpLock();
            } else if (failure != null) {
                failed.accept(failure);
            } else {
                then.accept(value);
            }
        });
    }

    // ---- the election ----

    private void elect() {
        Owner owner = environment.program().owner(environment.loop().wallMillis(), environment.freshToken());
        CompletableFuture<Attempt> attempt = environment
                .onLoop(environment.locks().tryAcquire(LOCK, owner))
                .whenComplete((taken, failure) -> {
                    // Taken after this was closed: given back by whoever looks at the hold next.
                    if (taken instanceof Attempt.Taken mine) {
                        hold = mine.hold();
                    }
                });
        after(
                attempt,
                taken -> {
                    if (taken instanceof Attempt.Taken mine) {
                        elected(mine.hold());
                    } else {
                        standBy();
                    }
                },
                failure -> standBy());
    }

    private void standBy() {
        long nanos = ELECTION_NANOS + 1_000_000L * environment.random().below(ELECTION_MILLIS_SPREAD);
        later(State.STANDING_BY, nanos, this::elect);
    }

    private void elected(Hold mine) {
        LOG.info("state=ELECTED this process keeps streams within their retention");
        environment.loop().resume(mine.lost(), (lost, failure) -> {
            if (hold == mine) {
                LOG.info("state=NOT_ELECTED_ANY_MORE");
                hold = null;
            }
        });
        beginPass();
    }

    // ---- a pass ----

    private void beginPass() {
        if (hold == null) {
            standBy();
            return;
        }
        state = State.WORKING;
        report = MaintenanceReport.NONE;
        listNames("");
    }

    private void listNames(String after) {
        CompletableFuture<Page<String>> listing =
                environment.onLoop(environment.metadata().list("", after, NAMES_COUNT));
        after(
                listing,
                page -> {
                    names.addAll(page.items());
                    nextStream(
                            page.isLast() || page.items().isEmpty()
                                    ? ""
                                    : page.items().get(page.items().size() - 1));
                },
                this::passFailed);
    }

    /** One stream after the other; {@code more} is the name after which the listing goes on, empty when it is over. */
    private void nextStream(String more) {
        String name = names.poll();
        if (hold == null) {
            names.clear();
            standBy();
        } else if (name != null) {
            after(
                    new StreamCare(environment, name).run(),
                    done -> {
                        report = report.withStream(done);
                        goOn(() -> nextStream(more));
                    },
                    failure -> {
                        LOG.warn(
                                "stream={} cannot be maintained now, the next pass tries again: {}",
                                name,
                                failure.getMessage());
                        report = report.withFailure();
                        goOn(() -> nextStream(more));
                    });
        } else if (!more.isEmpty()) {
            listNames(more);
        } else if (environment.loop().nanoTime() - nextOrphanSearchNanos >= 0) {
            searchLedgers(-1);
        } else {
            endPass();
        }
    }

    /** In a turn of its own: a long list of steps that need not wait makes no deep stack. */
    private void goOn(Runnable next) {
        environment.loop().execute(() -> {
            if (state == State.CLOSED) {
                giveUpLock();
            } else {
                next.run();
            }
        });
    }

    private void searchLedgers(long after) {
        CompletableFuture<Page<Long>> listing =
                environment.onLoop(environment.ledgers().list(after, LEDGERS_COUNT));
        CompletableFuture<Long> searched = listing.thenCompose(page -> {
            List<Long> ids = new ArrayList<>(page.items());
            return new OrphanSearch(environment).among(ids).thenApply(count -> {
                report = report.withOrphans(count);
                return page.isLast() || ids.isEmpty() ? Long.MAX_VALUE : ids.get(ids.size() - 1);
            });
        });
        after(
                searched,
                last -> {
                    if (last == Long.MAX_VALUE) {
                        nextOrphanSearchNanos = environment.loop().nanoTime()
                                + config.orphanInterval().toNanos();
                        endPass();
                    } else if (hold == null) {
                        standBy();
                    } else {
                        goOn(() -> searchLedgers(last));
                    }
                },
                this::passFailed);
    }

    private void passFailed(Throwable failure) {
        LOG.warn("streams cannot be maintained now, the next pass tries again: {}", failure.getMessage());
        report = report.withFailure();
        endPass();
    }

    private void endPass() {
        if (report.isWorthTelling()) {
            LOG.info(
                    "streams={} deletions_finished={} truncations={} orphans_deleted={} failures={} state=MAINTAINED",
                    report.streams(),
                    report.deletionsFinished(),
                    report.truncations(),
                    report.orphansDeleted(),
                    report.failures());
        }
        afterPass.accept(report);
        if (state != State.CLOSED) {
            later(State.RESTING, config.interval().toNanos(), this::beginPass);
        }
    }
}
