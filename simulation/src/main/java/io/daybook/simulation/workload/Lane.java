// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.api.WaitFor;
import io.daybook.metadata.model.DigestType;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.LanePlan.Trait;
import io.daybook.simulation.workload.GivenIds.Given;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A writer that writes one ledger after the other: appends in bursts, closes, begins the next. A ledger that it could not close is left to recoverers.
 *
 * <p><i>States:</i> creating → appending → closing → creating … → finished. A crash ends what is under way; the next process goes on with the next ledger.
 */
public final class Lane implements Workload {
    private static final long RETRY_NANOS = 200_000_000L;
    private static final long MICRO = 1_000;
    private static final long HEALED_REST_NANOS = 10_000_000L;

    private final Stage stage;
    private final ClientNode node;
    private final String name;
    private final LanePlan plan;
    private final SimulatedRandom random;
    private final LongConsumer abandoned;
    private final List<Long> ledgers = new ArrayList<>();
    private final NavigableMap<Integer, List<Runnable>> onAppend = new TreeMap<>();
    private final long restNanos;
    private int appendsBegun;
    private int attempts;
    private int sessionsBegun;
    private int sessionsEnded;
    private @Nullable Session session;

    /** A lane of its own name on a node; {@code abandoned} is told of ledgers that it leaves open. Between two ledgers it rests for about {@code restNanos}. */
    public Lane(ClientNode node, String name, LanePlan plan, long restNanos, LongConsumer abandoned) {
        this.stage = node.stage();
        this.node = node;
        this.name = name;
        this.plan = plan;
        this.restNanos = restNanos;
        this.random = stage.world().random(name);
        this.abandoned = abandoned;
    }

    /** Where it runs. */
    public ClientNode node() {
        return node;
    }

    /** Whether it wrote all its ledgers, or tried to. */
    @Override
    public boolean isDone() {
        return sessionsEnded >= plan.sessions();
    }

    @Override
    public String describe() {
        return name + " has written " + sessionsEnded + " of " + plan.sessions() + " ledgers";
    }

    /** The ledgers it made, in order. */
    public List<Long> ledgers() {
        return Collections.unmodifiableList(ledgers);
    }

    /** Runs {@code task} when it begins its append number {@code count}, over all ledgers. */
    public void onAppend(int count, Runnable task) {
        onAppend.computeIfAbsent(count, none -> new ArrayList<>()).add(task);
    }

    private void countAppend() {
        appendsBegun++;
        List<Runnable> due = onAppend.remove(appendsBegun);
        if (due != null) {
            due.forEach(Runnable::run);
        }
    }

    @Override
    public void started() {
        begin();
    }

    @Override
    public void crashed() {
        if (session != null) {
            end(session);
        }
    }

    private void begin() {
        if (sessionsBegun >= plan.sessions()) {
            return;
        }
        make().whenComplete((pen, failure) -> {
            if (failure == null) {
                sessionsBegun++;
                Session begun = new Session(pen);
                session = begun;
                ledgers.add(pen.ledgerId());
                stage.register().created(pen.ledgerId());
                if (plan.has(Trait.WRITE_QUORUM)) {
                    stage.register().awaitsAllCopies(pen.ledgerId());
                }
                begun.burst();
                return;
            }
            stage.resultOf(-1, failure);
            node.later(RETRY_NANOS, this::begin);
        });
    }

    private CompletableFuture<Pen> make() {
        LedgerClient client = node.client();
        return plan.has(Trait.GIVEN_IDS)
                ? client.createAdvanced(options()).thenApply(Pen::of)
                : client.create(options()).thenApply(Pen::of);
    }

    /** An id that may have been taken in an attempt of unknown outcome is not tried again. */
    private CreateOptions options() {
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(plan.quorums());
        if (plan.forceEvery() > 0) {
            options = options.deferringSync();
        }
        if (plan.has(Trait.WRITE_QUORUM)) {
            options = options.waitingFor(WaitFor.WRITE_QUORUM);
        }
        if (plan.has(Trait.HMAC)) {
            options = options.withDigest(DigestType.HMAC_SHA256, Stage.DIGEST_KEY);
        }
        if (plan.idBase() != LanePlan.ANY_ID) {
            options = options.withLedgerId(plan.idBase() + attempts);
            attempts++;
        }
        return options;
    }

    /** Around {@code nanos} while faults may happen, and little once they have ended. */
    private long restFor(long nanos) {
        long mean = stage.isHealed() ? Math.min(nanos, HEALED_REST_NANOS) : nanos;
        return random.nextBelow(2 * mean + 1);
    }

    private void end(Session ended) {
        session = null;
        sessionsEnded++;
        stage.register().ended(ended.ledgerId);
        if (!stage.register().isClosed(ended.ledgerId)) {
            abandoned.accept(ended.ledgerId);
        }
    }

    /** The writing of one ledger. */
    private final class Session {
        private final Pen pen;
        private final long ledgerId;
        private final String process;
        private final String sessionName;
        private final @Nullable GivenIds ids;
        private long planned;
        private long counter;
        private long acknowledged;
        private int underWay;
        private boolean hasFailed;

        private Session(Pen pen) {
            this.pen = pen;
            this.ledgerId = pen.ledgerId();
            this.process = node.process();
            this.sessionName = process + ".L" + ledgerId;
            this.ids = plan.has(Trait.GIVEN_IDS) ? new GivenIds(node, pen, sessionName) : null;
        }

        private void burst() {
            if (hasFailed) {
                return;
            }
            int count = (int) Math.min(plan.inFlight() - underWay, plan.appends() - planned);
            if (count == 0 && underWay == 0) {
                close();
                return;
            }
            underWay += count;
            planned += count;
            if (ids != null) {
                give(count, ids);
                return;
            }
            for (int i = 0; i < count; i++) {
                if (stage.isMemoryScarce()) {
                    pen.ready().thenRun(this::append);
                } else {
                    append();
                }
            }
        }

        private void append() {
            Given next = next();
            pen.append(next.entryId(), next.payload(), next.listener());
            forceWhenDue();
        }

        /** The calls count in the order of the ids, whatever the order in which they are made. */
        private void give(int count, GivenIds to) {
            List<Given> burst = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                burst.add(next());
            }
            if (stage.isMemoryScarce()) {
                pen.ready().thenRun(() -> to.give(burst));
            } else {
                to.give(burst);
            }
            forceWhenDue();
        }

        private Given next() {
            countAppend();
            long entryId = counter++;
            ByteBuf payload = Value.payload(sessionName, entryId, (int) random.nextBelow(plan.payloadBytesMax() + 1L));
            return new Given(entryId, payload, new Appending(Value.of(payload)));
        }

        private void forceWhenDue() {
            if (plan.forceEvery() > 0 && counter % plan.forceEvery() == 0) {
                force();
            }
        }

        /** Whoever forced is told when all that he appended before, up to a gap, was acknowledged, and never earlier. */
        private void force() {
            long appended = ids == null ? counter : ids.gap();
            pen.force().thenAccept(last -> {
                long before = ids == null ? appended : ids.taken(appended);
                if (acknowledged < Math.max(before, last + 1) || last + 1 < before) {
                    String text = process + " was told that all is durable up to " + last + ", of " + before
                            + " entries that it had appended";
                    stage.violations().add(new Violation("early-force", ledgerId, acknowledged, text));
                }
            });
        }

        /** One append, which goes on when it is accepted and is over when it is acknowledged or has failed. */
        private final class Appending implements AppendListener {
            private final Value value;
            private final int call;
            private boolean isAccepted;

            private Appending(Value value) {
                this.value = value;
                this.call = stage.history().begin(process, stage.world().nanoTime(), ledgerId, new Append(value, -1));
            }

            @Override
            public void accepted(long entryId) {
                isAccepted = true;
                goOn();
            }

            @Override
            public void appended(long entryId) {
                acknowledged++;
                if (stage.register().isAwaitingAllCopies(ledgerId)) {
                    stage.world().faults().count(LedgerSituations.ALL_COPIES_AWAITED);
                }
                stage.history().end(call, stage.world().nanoTime(), Result.OK, new Append(value, entryId));
                stage.monitor().acknowledged(ledgerId, entryId);
                if (!isAccepted) {
                    goOn();
                }
            }

            @Override
            public void failed(LedgerException failure) {
                Result result = stage.resultOf(ledgerId, failure);
                stage.history().end(call, stage.world().nanoTime(), result, new Append(value, -1));
                checkFence(failure);
                boolean isFirst = !hasFailed;
                hasFailed = true;
                if (!isAccepted) {
                    goOn();
                } else if (isFirst) {
                    node.later(RETRY_NANOS / 2, Session.this::giveUp);
                }
            }
        }

        private void goOn() {
            underWay--;
            if (underWay == 0) {
                burstEnded();
            } else if (plan.pauseMicros() == 0) {
                burst();
            }
        }

        private void burstEnded() {
            if (hasFailed) {
                node.later(RETRY_NANOS / 2, this::giveUp);
            } else if (plan.pauseMicros() == 0) {
                burst();
            } else {
                node.later(restFor(plan.pauseMicros() * MICRO), this::burst);
            }
        }

        private void close() {
            if (ids != null) {
                ids.perhapsBeyondGap(counter);
            }
            int call = stage.history().begin(process, stage.world().nanoTime(), ledgerId, new Closing(false, -1));
            pen.close().whenComplete((end, failure) -> {
                Result result = stage.resultOf(ledgerId, failure);
                long last = failure == null ? end : -1;
                stage.history().end(call, stage.world().nanoTime(), result, new Closing(false, last));
                if (failure == null) {
                    stage.register().closed(ledgerId);
                }
                checkFence(failure);
                giveUp();
            });
        }

        /** Whoever is told that somebody else took the ledger over must be told the truth (D18); unless a bookie that lost something fenced it (D9). */
        private void checkFence(@Nullable Throwable failure) {
            if (!(Failures.rootOf(failure) instanceof LedgerException.Fenced)
                    || stage.history().hasRecovery(ledgerId)) {
                return;
            }
            if (stage.history().hasFencing(ledgerId)) {
                stage.world().faults().count(LedgerSituations.STOPPED_BY_FENCE);
            } else if (!stage.cluster().wasDamaged()) {
                stage.violations()
                        .add(new Violation(
                                "false-fence",
                                ledgerId,
                                -1,
                                process + " was told it is fenced; nobody fences or recovers"));
            }
        }

        private void giveUp() {
            if (session == this) {
                end(this);
                node.later(restFor(restNanos), Lane.this::begin);
            }
        }
    }
}
