// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.LedgerView;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.Limits;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Invariants;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The reader of one ledger: follows its metadata, knows how far it is confirmed, reads ranges and waits for the tail.
 *
 * <p><i>Invariants:</i> L10 (the last add confirmed never goes back and never passes a closed end), L11 (only verified bytes leave; nothing beyond the last
 * add confirmed unless asked for). <i>Threading:</i> confined to its loop; the public methods may be called from any thread and only enqueue.
 */
public final class QuorumReader implements LedgerReader {
    private static final long ENTRY_ID_MAX = Long.MAX_VALUE / 2;

    private final HandleContext context;
    private final EntryForm form;
    private final WriteSets writeSets;
    private final LedgerView view;
    private final Set<TailRead> tails = new LinkedHashSet<>();
    private final Set<ReadCall<?>> underWay = new LinkedHashSet<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int rotation;
    private boolean isShut;
    private boolean isLooking;
    private volatile LedgerMetadata metadata;
    private volatile long lastAddConfirmed;

    /** Begins to follow a ledger, on the context's loop. Entries before the newest fragment are known to be confirmed. */
    public QuorumReader(HandleContext context, Versioned<LedgerMetadata> read, EntryForm form) {
        this.context = context;
        this.form = form;
        this.metadata = read.value();
        this.writeSets = new WriteSets(metadata.quorums());
        this.view = new LedgerView(context, read, this::onMetadata);
        this.lastAddConfirmed = view.isClosed()
                ? metadata.lastEntryId()
                : metadata.lastFragment().firstEntryId() - 1;
        this.rotation = context.random().below(writeSets.quorums().writeQuorum());
        view.follow();
    }

    /** What a read wants, and where its outcome goes. */
    record Wanted(long firstEntryId, int countMax, int bytesMax, ReadCall<LedgerEntries> call) {}

    @Override
    public long ledgerId() {
        return metadata.ledgerId();
    }

    @Override
    public EventLoop loop() {
        return context.loop();
    }

    @Override
    public LedgerMetadata metadata() {
        return metadata;
    }

    @Override
    public boolean isClosed() {
        return metadata.state() == LedgerState.CLOSED;
    }

    @Override
    public long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    @Override
    public CompletableFuture<Long> refresh() {
        ReadCall<Long> call = new ReadCall<>(context.internal().future());
        start(
                call,
                () -> view.refresh(failure -> {
                    if (failure.isPresent()) {
                        end(call, failure.get());
                    } else {
                        askConfirmed(call);
                    }
                }));
        return call.outcome();
    }

    /** Asks the bookies alone for the last add confirmed, on the loop; fails when too few answer, but what those say is known from then on. */
    public CompletableFuture<Long> askBookies() {
        ReadCall<Long> call = new ReadCall<>(context.internal().future());
        start(call, () -> askConfirmed(call));
        return call.outcome();
    }

    @Override
    public CompletableFuture<LedgerEntries> read(long firstEntryId, int countMax, int bytesMax) {
        Wanted wanted = wanted(firstEntryId, countMax, bytesMax);
        start(wanted.call(), () -> {
            if (firstEntryId > lastAddConfirmed) {
                end(wanted.call(), absent(firstEntryId, "is beyond the last add confirmed, " + lastAddConfirmed));
            } else {
                readKnown(wanted);
            }
        });
        return wanted.call().outcome();
    }

    @Override
    public CompletableFuture<LedgerEntries> readUnconfirmed(long firstEntryId, int countMax, int bytesMax) {
        Wanted wanted = wanted(firstEntryId, countMax, bytesMax);
        start(wanted.call(), () -> {
            if (isClosed() && firstEntryId > lastAddConfirmed) {
                end(wanted.call(), absent(firstEntryId, "is beyond the end, " + lastAddConfirmed));
            } else {
                read(wanted, isClosed() ? lastAddConfirmed : Long.MAX_VALUE, true);
            }
        });
        return wanted.call().outcome();
    }

    @Override
    public CompletableFuture<LedgerEntries> readTail(long firstEntryId, int countMax, int bytesMax, long waitNanos) {
        Wanted wanted = wanted(firstEntryId, countMax, bytesMax);
        start(wanted.call(), () -> {
            TailRead tail = new TailRead(this, context, wanted, waitNanos);
            tails.add(tail);
            tail.evaluate();
        });
        return wanted.call().outcome();
    }

    /** Completes when this reader is closed. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void close() {
        context.run(() -> {
            isShut = true;
            ended.complete(null);
            view.close();
            List.copyOf(underWay).forEach(call -> end(call, closedFailure()));
            List.copyOf(tails).forEach(TailRead::evaluate);
        });
    }

    // ---- for the tail reads ----

    EntryForm form() {
        return form;
    }

    WriteSets writeSets() {
        return writeSets;
    }

    int rotation() {
        return rotation;
    }

    void forget(TailRead tail) {
        tails.remove(tail);
    }

    /** A bookie knows that entries up to this one are confirmed. */
    void confirmed(long known) {
        if (!isClosed() && known > lastAddConfirmed) {
            lastAddConfirmed = known;
            List.copyOf(tails).forEach(TailRead::evaluate);
        }
    }

    /** Whether the ledger was deleted. */
    boolean isGone() {
        return view.isGone();
    }

    /** Ends a call that can never be answered, as the ledger was deleted. */
    void endAsGone(ReadCall<?> call) {
        end(
                call,
                new LedgerException.LedgerGone(
                        "ledger " + ledgerId() + " was deleted while its tail was read", Outcome.FAILED));
    }

    /** Reads the metadata because something hints at a change; not again before the answer is there, so that a slow store is not asked ever more. */
    void lookAtMetadata() {
        if (!isLooking) {
            isLooking = true;
            view.refresh(failure -> isLooking = false);
        }
    }

    /** Reads entries that are known to be confirmed. */
    void readKnown(Wanted wanted) {
        read(wanted, lastAddConfirmed, true);
    }

    void deliver(ReadCall<LedgerEntries> call, ReadEntries entries) {
        underWay.remove(call);
        if (!call.outcome().complete(entries)) {
            entries.close();
        }
    }

    // ---- reading ----

    private void read(Wanted wanted, long lastEntryId, boolean mayRetry) {
        Fragment fragment = metadata.fragmentOf(wanted.firstEntryId());
        long last = Math.min(lastOf(fragment, lastEntryId), wanted.firstEntryId() + wanted.countMax() - 1);
        RunRead.Source source = new RunRead.Source(context, ledgerId(), form, writeSets, fragment);
        ReadRange range = new ReadRange(wanted.firstEntryId(), last, wanted.bytesMax());
        rotation++;
        RangeRead.start(source, range, rotation, new RunRead.Receiver() {
            @Override
            public void ended(RunRead.Result result) {
                if (!result.entries().isEmpty()) {
                    deliver(wanted.call(), result.entries().confirmedAtLeast(lastAddConfirmed));
                } else if (mayRetry && isWanted() && !result.isBusyEverywhere()) {
                    readAgain(wanted, lastEntryId, fragment, result);
                } else {
                    end(wanted.call(), failure(wanted.firstEntryId(), result));
                }
            }

            @Override
            public boolean isWanted() {
                return !wanted.call().isDone();
            }
        });
    }

    /** The last entry of the fragment, if that is below {@code limit}. */
    private long lastOf(Fragment fragment, long limit) {
        long last = limit;
        for (Fragment each : metadata.fragments()) {
            if (each.firstEntryId() > fragment.firstEntryId()) {
                last = Math.min(last, each.firstEntryId() - 1);
            }
        }
        return last;
    }

    /** Repair may have moved the copies, or the ledger may be gone: looks at the metadata before it gives up. */
    private void readAgain(Wanted wanted, long lastEntryId, Fragment fragment, RunRead.Result result) {
        view.refresh(failure -> {
            boolean beyond = isClosed() && wanted.firstEntryId() > lastAddConfirmed;
            boolean moved =
                    !beyond && !metadata.fragmentOf(wanted.firstEntryId()).equals(fragment);
            if (failure.isPresent() && failure.get() instanceof LedgerException.LedgerGone gone) {
                end(wanted.call(), gone);
            } else if (moved) {
                read(wanted, isClosed() ? lastAddConfirmed : lastEntryId, false);
            } else {
                end(wanted.call(), failure(wanted.firstEntryId(), result));
            }
        });
    }

    private LedgerException failure(long entryId, RunRead.Result result) {
        String what = "entry " + entryId + " of ledger " + ledgerId() + ": "
                + RangeRead.describe(writeSets, result.refusals());
        if (result.isDamagedEverywhere()) {
            return new LedgerException.EntryCorrupt(what);
        }
        if (result.isDeniedByAll() && entryId > lastAddConfirmed) {
            return new LedgerException.EntryAbsent(what);
        }
        return new LedgerException.EntryUnreadable(what);
    }

    private LedgerException absent(long entryId, String why) {
        return new LedgerException.EntryAbsent("entry " + entryId + " of ledger " + ledgerId() + " " + why);
    }

    // ---- the last add confirmed ----

    private void askConfirmed(ReadCall<Long> call) {
        if (isClosed()) {
            deliverConfirmed(call);
            return;
        }
        ConfirmedQuery.Listener listener = new ConfirmedQuery.Listener() {
            @Override
            public void confirmed(long known) {
                QuorumReader.this.confirmed(known);
            }

            @Override
            public void done(boolean isEnough) {
                if (isEnough) {
                    deliverConfirmed(call);
                } else {
                    end(
                            call,
                            new LedgerException.NotEnoughBookies(
                                    "too few bookies of ledger " + ledgerId()
                                            + " say how far it is confirmed: at least up to " + lastAddConfirmed
                                            + "; try again",
                                    Outcome.FAILED));
                }
            }
        };
        ConfirmedQuery.start(context, ledgerId(), writeSets, metadata.lastFragment(), listener);
    }

    private void deliverConfirmed(ReadCall<Long> call) {
        underWay.remove(call);
        call.outcome().complete(lastAddConfirmed);
    }

    private void onMetadata() {
        LedgerMetadata next = view.metadata();
        long known = view.isClosed() ? next.lastEntryId() : next.lastFragment().firstEntryId() - 1;
        Invariants.require(
                !view.isClosed() || known >= lastAddConfirmed,
                "L10: the end {} is below the last add confirmed {}",
                known,
                lastAddConfirmed);
        metadata = next;
        lastAddConfirmed = Math.max(lastAddConfirmed, known);
        List.copyOf(tails).forEach(TailRead::onMetadata);
    }

    // ---- calls ----

    private Wanted wanted(long firstEntryId, int countMax, int bytesMax) {
        if (firstEntryId < 0 || firstEntryId > ENTRY_ID_MAX || countMax < 1 || bytesMax < 0) {
            throw new IllegalArgumentException(
                    "a read of " + countMax + " entries, " + bytesMax + " bytes from entry " + firstEntryId);
        }
        int count = Math.min(countMax, Limits.READ_COUNT_MAX);
        return new Wanted(
                firstEntryId, count, bytesMax, new ReadCall<>(context.internal().future()));
    }

    private void start(ReadCall<?> call, Runnable task) {
        boolean queued = context.run(() -> {
            if (isShut) {
                end(call, closedFailure());
                return;
            }
            underWay.add(call);
            attempt(call, task);
        });
        if (!queued) {
            call.outcome().completeExceptionally(closedFailure());
        }
        call.outcome().whenComplete((value, failure) -> {
            if (call.outcome().isCancelled()) {
                context.run(() -> forget(call));
            }
        });
    }

    /** When the task throws, which is a bug, the caller is told too, who else would wait for ever (V7). */
    private void attempt(ReadCall<?> call, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException bug) {
            end(
                    call,
                    new LedgerException.Bug(
                            "a call on the reader of ledger " + ledgerId() + " stopped half way",
                            Outcome.UNKNOWN,
                            bug));
            throw bug;
        }
    }

    /** Its caller does not want it any more: neither it nor its timers are kept. */
    private void forget(ReadCall<?> call) {
        underWay.remove(call);
        List.copyOf(tails).forEach(TailRead::evaluate);
    }

    private void end(ReadCall<?> call, LedgerException failure) {
        underWay.remove(call);
        call.outcome().completeExceptionally(failure);
    }

    private LedgerException closedFailure() {
        return new LedgerException.HandleClosed("the reader of ledger " + ledgerId() + " is closed", Outcome.FAILED);
    }
}
