// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.plan.Operation;
import io.daybook.testkit.check.Call.Peek;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader that follows a lane: each of its ledgers from the first entry to the closed end, then the next one. */
public final class TailReading implements Workload {
    private static final long RETRY_NANOS = 100_000_000L;
    private static final long WAIT_NANOS_MAX = 1_000_000_000L;
    private static final int COUNT_MAX = 20;
    private static final int PEEK_ONE_IN = 8;
    private static final int BYTES_MAX = 16 * 1024;

    private final Stage stage;
    private final ClientNode node;
    private final Lane lane;
    private final SimulatedRandom random;
    private int place;
    private int handles;
    private long nextEntryId;
    private boolean isWaiting;

    /** A reader of the ledgers of {@code lane}. */
    public TailReading(ClientNode node, Lane lane) {
        this.stage = node.stage();
        this.node = node;
        this.lane = lane;
        this.random = stage.world().random(node.machine());
    }

    /** Whether it has read everything there is. */
    @Override
    public boolean isDone() {
        return place == lane.ledgers().size() && isWaiting;
    }

    @Override
    public String describe() {
        String ledger =
                place < lane.ledgers().size() ? "ledger " + lane.ledgers().get(place) : "no ledger";
        return node.machine() + " waits for entry " + nextEntryId + " of " + ledger;
    }

    /** Opens its present ledger again and goes on where the process before was. */
    @Override
    public void started() {
        open();
    }

    @Override
    public void crashed() {}

    private void later(Runnable task) {
        node.later(1 + random.nextBelow(RETRY_NANOS), task);
    }

    private void open() {
        isWaiting = place == lane.ledgers().size();
        if (isWaiting) {
            later(this::open);
            return;
        }
        long ledgerId = lane.ledgers().get(place);
        node.client().open(ledgerId, stage.openOptions(ledgerId)).whenComplete((reader, failure) -> {
            if (failure == null) {
                handles++;
                read(reader, node.process() + ".h" + handles);
            } else {
                stage.resultOf(ledgerId, failure);
                failed(ledgerId, failure);
            }
        });
    }

    /** Opens the same ledger again, or the next one when this one was deleted. */
    private void failed(long ledgerId, Throwable failure) {
        if (stage.isGone(ledgerId, failure)) {
            place++;
            nextEntryId = 0;
        }
        later(this::open);
    }

    private void read(LedgerReader reader, String process) {
        long ledgerId = reader.ledgerId();
        int call = stage.history().begin(process, stage.world().nanoTime(), ledgerId, Read.wanting(nextEntryId));
        long wait = random.nextBelow(WAIT_NANOS_MAX);
        reader.readTail(nextEntryId, 1 + random.below(COUNT_MAX), BYTES_MAX, wait)
                .whenComplete((entries, failure) -> {
                    if (failure != null) {
                        stage.history().end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, failure));
                        reader.close();
                        failed(ledgerId, failure);
                        return;
                    }
                    stage.history()
                            .end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, null), take(entries, reader));
                    goOn(reader, process);
                });
    }

    private Read take(@Nullable LedgerEntries entries, LedgerReader reader) {
        if (entries == null) {
            throw new IllegalStateException("a read completed with nothing");
        }
        try (LedgerEntries taken = entries) {
            List<Value> values = taken.list().stream()
                    .map(entry -> Value.of(entry.payload()))
                    .toList();
            long first = values.isEmpty() ? nextEntryId : taken.list().get(0).entryId();
            Read read = new Read(nextEntryId, first, values, reader.lastAddConfirmed());
            nextEntryId = first + values.size();
            return read;
        }
    }

    private void goOn(LedgerReader reader, String process) {
        if (reader.isClosed() && reader.lastAddConfirmed() < nextEntryId) {
            reader.close();
            place++;
            nextEntryId = 0;
            later(this::open);
        } else if (random.below(10) == 0) {
            reader.close();
            later(this::open);
        } else if (stage.does(Operation.UNCONFIRMED_READS) && random.below(PEEK_ONE_IN) == 0) {
            peek(reader, process);
        } else {
            read(reader, process);
        }
    }

    /** Looks at what may still vanish, and goes on. */
    private void peek(LedgerReader reader, String process) {
        long ledgerId = reader.ledgerId();
        int call = stage.history().begin(process, stage.world().nanoTime(), ledgerId, new Peek(nextEntryId, List.of()));
        reader.readUnconfirmed(nextEntryId, 1 + random.below(COUNT_MAX), BYTES_MAX)
                .whenComplete((entries, failure) -> {
                    List<Value> values = failure == null ? valuesOf(entries) : List.of();
                    Peek peek = new Peek(nextEntryId, values);
                    stage.history().end(call, stage.world().nanoTime(), stage.resultOf(ledgerId, failure), peek);
                    later(() -> read(reader, process));
                });
    }

    private static List<Value> valuesOf(LedgerEntries entries) {
        try (LedgerEntries taken = entries) {
            return taken.list().stream().map(entry -> Value.of(entry.payload())).toList();
        }
    }
}
