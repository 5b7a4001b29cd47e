// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.Operation;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Deletion;
import io.daybook.testkit.check.Call.Fencing;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A client that does what else people do with ledgers: reads here and there in closed ones, recovers closed ones, fences some, has copies checked, lists all, deletes some; each only in
 * runs that have the {@link Operation}.
 *
 * <p><i>States:</i> resting → busy with one thing → resting …; it begins nothing new when all faults have ended.
 */
public final class Housekeeping implements Workload {
    private static final int COUNT_MAX = 50;
    private static final int BYTES_MAX = 64 * 1024;

    private final Stage stage;
    private final ClientNode node;
    private final SimulatedRandom random;
    private final long restNanos;
    private final List<Operation> habits = new ArrayList<>();
    private int handles;
    private boolean isBusy;

    /** A client that rests for about {@code restNanos} between two operations. */
    public Housekeeping(ClientNode node, long restNanos) {
        this.stage = node.stage();
        this.node = node;
        this.restNanos = restNanos;
        this.random = stage.world().random(node.machine());
        for (Operation operation : Operation.values()) {
            if (operation != Operation.UNCONFIRMED_READS && stage.does(operation)) {
                habits.add(operation);
            }
        }
    }

    @Override
    public void started() {
        isBusy = false;
        rest();
    }

    @Override
    public void crashed() {
        isBusy = false;
    }

    @Override
    public boolean isDone() {
        return !isBusy;
    }

    @Override
    public String describe() {
        return node.machine() + " has not ended what it does";
    }

    private void rest() {
        isBusy = false;
        if (!habits.isEmpty() && !stage.isHealed()) {
            node.later(1 + random.nextBelow(2 * restNanos), this::begin);
        }
    }

    private void begin() {
        if (stage.isHealed()) {
            return;
        }
        isBusy = true;
        switch (habits.get(random.below(habits.size()))) {
            case LISTINGS -> new Listing(node, random).begin(this::rest);
            case DELETIONS -> oneOf(stage.register().deletable()).ifPresentOrElse(this::delete, this::rest);
            case CLOSED_RECOVERIES -> oneOf(stage.register().closed()).ifPresentOrElse(this::recover, this::rest);
            case FENCES -> oneOf(stage.register().fenceable()).ifPresentOrElse(this::fence, this::rest);
            case VERIFICATIONS ->
                oneOf(stage.register().closed())
                        .ifPresentOrElse(ledgerId -> new Verification(node, ledgerId).begin(this::rest), this::rest);
            default -> oneOf(stage.register().closed()).ifPresentOrElse(this::open, this::rest);
        }
    }

    private Optional<Long> oneOf(List<Long> ledgers) {
        return ledgers.isEmpty() ? Optional.empty() : Optional.of(ledgers.get(random.below(ledgers.size())));
    }

    private void delete(long ledgerId) {
        stage.register().deletionBegun(ledgerId);
        int call = stage.history().begin(node.process(), stage.world().nanoTime(), ledgerId, new Deletion());
        node.client().delete(ledgerId).whenComplete((done, failure) -> {
            stage.history().end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, failure));
            if (failure == null) {
                stage.register().deleted(ledgerId);
            }
            rest();
        });
    }

    private void fence(long ledgerId) {
        int call = stage.history().begin(node.process(), stage.world().nanoTime(), ledgerId, new Fencing());
        node.client().fence(ledgerId).whenComplete((done, failure) -> {
            stage.history().end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, failure));
            stage.isGone(ledgerId, failure);
            rest();
        });
    }

    private void recover(long ledgerId) {
        int call = stage.history().begin(node.process(), stage.world().nanoTime(), ledgerId, new Closing(true, -1));
        node.client().recover(ledgerId, stage.openOptions(ledgerId)).whenComplete((reader, failure) -> {
            Result result = stage.resultOf(ledgerId, failure);
            long end = failure == null ? reader.lastAddConfirmed() : -1;
            stage.history().end(call, stage.world().nanoTime(), result, new Closing(true, end));
            if (failure == null) {
                reader.close();
            } else {
                stage.isGone(ledgerId, failure);
            }
            rest();
        });
    }

    private void open(long ledgerId) {
        node.client().open(ledgerId, stage.openOptions(ledgerId)).whenComplete((reader, failure) -> {
            if (failure == null) {
                handles++;
                read(reader, node.process() + ".h" + handles);
                return;
            }
            stage.resultOf(ledgerId, failure);
            stage.isGone(ledgerId, failure);
            rest();
        });
    }

    private void read(LedgerReader reader, String process) {
        long ledgerId = reader.ledgerId();
        long first = reader.lastAddConfirmed() < 0 ? 0 : random.nextBelow(reader.lastAddConfirmed() + 1);
        int call = stage.history().begin(process, stage.world().nanoTime(), ledgerId, Read.wanting(first));
        reader.read(first, 1 + random.below(COUNT_MAX), BYTES_MAX).whenComplete((entries, failure) -> {
            Read read = failure == null ? take(entries, first, reader.lastAddConfirmed()) : Read.wanting(first);
            stage.history().end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, failure), read);
            reader.close();
            rest();
        });
    }

    private static Read take(LedgerEntries entries, long wanted, long confirmed) {
        try (LedgerEntries taken = entries) {
            List<Value> values = taken.list().stream()
                    .map(entry -> Value.of(entry.payload()))
                    .toList();
            long first = values.isEmpty() ? wanted : taken.list().get(0).entryId();
            return new Read(wanted, first, values, confirmed);
        }
    }
}
