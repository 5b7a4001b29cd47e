// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.Failures;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Stage;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is asked when nothing goes wrong any more: where each ledger ends, what it holds, and whether the cluster still works. */
final class FinalReading {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE_NANOS = 60 * SECOND;
    private static final int ATTEMPTS_MAX = 20;
    /** Where more is damaged than may be, some ledgers stay unreadable for ever. */
    private static final int ATTEMPTS_BEYOND_BUDGET_MAX = 3;

    private static final String JUDGE = "judge";
    private static final int PAGE = 1000;
    private static final int PROBES = 5;
    /** A bookie looks for room on its disk every some seconds. */
    private static final int PROBES_MAX = 60;

    private final Stage stage;
    private final SimulatedCluster cluster;
    private final boolean isBeyondBudget;
    private final int attemptsMax;

    FinalReading(Stage stage, boolean isBeyondBudget) {
        this.stage = stage;
        this.cluster = stage.cluster();
        this.isBeyondBudget = isBeyondBudget;
        this.attemptsMax = isBeyondBudget ? ATTEMPTS_BEYOND_BUDGET_MAX : ATTEMPTS_MAX;
    }

    /** Recovers every ledger and reads it whole. */
    void readEverything() {
        ClientNode judge = stage.node(JUDGE);
        judge.start();
        List<Long> ledgerIds = stage.ledgerIds();
        stage.register().living().stream()
                .filter(ledgerId -> !ledgerIds.contains(ledgerId))
                .forEach(ledgerId -> stage.violations()
                        .add(new Violation("lost-ledger", ledgerId, -1, "was made, not deleted, and is gone")));
        // What ledgers of streams hold is judged by the record.
        ledgerIds.removeIf(stage::isOfStream);
        for (long ledgerId : ledgerIds) {
            Optional<LedgerReader> reader = recover(judge, ledgerId);
            reader.ifPresent(this::readWhole);
            if (reader.isEmpty() && isBeyondBudget) {
                reader = open(judge, ledgerId);
                reader.ifPresent(opened -> readAround(opened, 0));
            }
            reader.ifPresent(LedgerReader::close);
        }
        if (!isBeyondBudget) {
            probe(judge);
        }
        await("shutdown", -1, judge.client().shutdown());
        stage.world().runFor(SECOND);
        long kept = judge.host().buffers().outstanding();
        if (kept != 0) {
            stage.violations()
                    .add(new Violation("leak", -1, -1, kept + " buffers were not released by a client that shut down"));
        }
    }

    private Optional<LedgerReader> recover(ClientNode judge, long ledgerId) {
        for (int attempt = 0; attempt < attemptsMax; attempt++) {
            int call =
                    stage.history().begin(judge.process(), stage.world().nanoTime(), ledgerId, new Closing(true, -1));
            CompletableFuture<LedgerReader> recovery = judge.client().recover(ledgerId, stage.openOptions(ledgerId));
            boolean isDone = stage.world().runUntil(recovery::isDone, PATIENCE_NANOS);
            if (!isDone) {
                return Optional.empty();
            }
            if (!recovery.isCompletedExceptionally()) {
                LedgerReader reader = recovery.join();
                stage.history()
                        .end(call, stage.world().nanoTime(), Result.OK, new Closing(true, reader.lastAddConfirmed()));
                return Optional.of(reader);
            }
            stage.history().end(call, stage.world().nanoTime(), Result.FAILED);
            stage.world().runFor(SECOND);
        }
        lost("liveness", ledgerId, -1, "the ledger cannot be recovered although all is healed");
        return Optional.empty();
    }

    /** A ledger that cannot be recovered may be read as far as it is confirmed. */
    private Optional<LedgerReader> open(ClientNode judge, long ledgerId) {
        CompletableFuture<LedgerReader> opening = judge.client().open(ledgerId, stage.openOptions(ledgerId));
        stage.world().runUntil(opening::isDone, PATIENCE_NANOS);
        return opening.isDone() && !opening.isCompletedExceptionally() ? Optional.of(opening.join()) : Optional.empty();
    }

    /** What must not be, unless more was damaged than Daybook promises to survive: then data is gone, and calls that need it fail. */
    private void lost(String check, long ledgerId, long entryId, String text) {
        if (!isBeyondBudget) {
            stage.violations().add(new Violation(check, ledgerId, entryId, text));
        }
    }

    private void readWhole(LedgerReader reader) {
        List<Value> values = new ArrayList<>();
        int call = stage.history().begin(JUDGE, stage.world().nanoTime(), reader.ledgerId(), new FinalLog(List.of()));
        int failures = 0;
        while (values.size() <= reader.lastAddConfirmed()) {
            CompletableFuture<LedgerEntries> read = reader.read(values.size(), PAGE, 1 << 20);
            boolean isDone = stage.world().runUntil(read::isDone, PATIENCE_NANOS);
            if (!isDone) {
                return;
            }
            if (!read.isCompletedExceptionally()) {
                take(read, values);
                continue;
            }
            failures++;
            if (failures > attemptsMax) {
                Throwable why = Failures.rootOf(
                        read.handle((entries, failure) -> failure).join());
                lost("unreadable", reader.ledgerId(), values.size(), "is unreadable after all: " + why);
                stage.history().end(call, stage.world().nanoTime(), Result.FAILED);
                noteRead(reader, 0, values);
                readAround(reader, values.size() + 1L);
                return;
            }
            stage.world().runFor(SECOND);
        }
        stage.history().end(call, stage.world().nanoTime(), Result.OK, new FinalLog(values));
    }

    /** Notes what can be read of a ledger from an entry on, one by one: what is left must be what was appended, whatever else is gone. */
    private void readAround(LedgerReader reader, long firstEntryId) {
        for (long entryId = firstEntryId; entryId <= reader.lastAddConfirmed(); entryId++) {
            CompletableFuture<LedgerEntries> read = reader.read(entryId, 1, 1 << 20);
            boolean isDone = stage.world().runUntil(read::isDone, PATIENCE_NANOS);
            if (isDone && !read.isCompletedExceptionally()) {
                List<Value> values = new ArrayList<>();
                take(read, values);
                noteRead(reader, entryId, values);
            } else if (!isDone) {
                stage.violations().add(new Violation("liveness", reader.ledgerId(), entryId, "reading it never ends"));
                return;
            }
        }
    }

    private static void take(CompletableFuture<LedgerEntries> read, List<Value> values) {
        try (LedgerEntries entries = read.join()) {
            entries.list().forEach(entry -> values.add(Value.of(entry.payload())));
        }
    }

    private void noteRead(LedgerReader reader, long firstEntryId, List<Value> values) {
        long now = stage.world().nanoTime();
        Read seen = new Read(firstEntryId, firstEntryId, values, reader.lastAddConfirmed());
        stage.history().add(new Call(JUDGE, now, now, Result.OK, reader.ledgerId(), seen));
    }

    /** V1: the healed cluster takes entries again, once bookies whose disks were full have noticed that there is room. */
    private void probe(ClientNode judge) {
        int healthy = 0;
        for (int i = 0; i < cluster.bookies(); i++) {
            healthy += cluster.isServing(i) ? 1 : 0;
        }
        int copies = Math.min(3, healthy);
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(new Quorums(copies, copies, (copies + 1) / 2));
        CompletableFuture<LedgerWriter> creation = judge.client().create(options);
        for (int attempt = 1; attempt < PROBES_MAX && isRefused(creation); attempt++) {
            stage.world().runFor(SECOND);
            creation = judge.client().create(options);
        }
        await("probe", -1, creation.thenCompose(writer -> {
            for (int i = 0; i < PROBES; i++) {
                append(writer, i);
            }
            return writer.close();
        }));
    }

    private boolean isRefused(CompletableFuture<LedgerWriter> creation) {
        stage.world().runUntil(creation::isDone, PATIENCE_NANOS);
        return creation.isCompletedExceptionally();
    }

    private void append(LedgerWriter writer, int counter) {
        writer.append(Value.payload("probe", counter, 10))
                .thenAccept(entryId -> stage.monitor().acknowledged(writer.ledgerId(), entryId));
    }

    private <T> void await(String what, long ledgerId, CompletableFuture<T> future) {
        boolean isDone = stage.world().runUntil(future::isDone, PATIENCE_NANOS);
        if (!isDone || future.isCompletedExceptionally()) {
            String why = isDone
                    ? String.valueOf(Failures.rootOf(
                            future.handle((value, failure) -> failure).join()))
                    : "it does not end";
            stage.violations().add(new Violation("liveness", ledgerId, -1, what + " after all is healed: " + why));
        }
    }
}
