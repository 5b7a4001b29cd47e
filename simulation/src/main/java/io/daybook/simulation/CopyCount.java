// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.simulation.workload.Stage;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Copies;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.BookieInspector;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** L2: every entry that was acknowledged has as many durable copies as it needs, on the bookies that metadata names. Each bookie is read alone. */
final class CopyCount {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Stage stage;
    private final SimulatedCluster inspected;
    private final SimulatedHost host;
    private final String why;

    private CopyCount(Stage stage, SimulatedCluster inspected, String why) {
        this.stage = stage;
        this.inspected = inspected;
        this.why = why;
        this.host = inspected.world().machine("inspector-" + why).start();
    }

    /** Adds what it finds to the history. {@code inspected} is the cluster of the stage, or its twin. */
    static void take(Stage stage, SimulatedCluster inspected, String why) {
        Map<Long, SortedMap<Long, Value>> acknowledged = new TreeMap<>();
        for (Call call : stage.history().calls()) {
            if (call.detail() instanceof Append append && call.result() == Result.OK) {
                acknowledged
                        .computeIfAbsent(call.ledgerId(), ledgerId -> new TreeMap<>())
                        .put(append.entryId(), append.value());
            }
        }
        CopyCount count = new CopyCount(stage, inspected, why);
        acknowledged.forEach(count::ofLedger);
    }

    /** As {@link #take}, of what the bookies would still hold if the power failed now. The world of the stage stands still meanwhile. */
    static void takeAsIfPowerFailed(Stage stage, long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        try {
            take(stage, stage.cluster().twinAfterPowerLoss(world), "power-loss-" + seed);
        } catch (IllegalStateException failure) {
            stage.violations()
                    .add(new Violation("durability", -1, -1, "after a loss of power now: " + failure.getMessage()));
        }
    }

    private void ofLedger(long ledgerId, SortedMap<Long, Value> entries) {
        LedgerMetadata metadata =
                stage.cluster().ledgers().readLatest(ledgerId).join().value();
        Map<BookieId, SortedMap<Long, Value>> held = new TreeMap<>();
        for (int bookie = 0; bookie < inspected.bookies(); bookie++) {
            BookieId id = inspected.idOf(bookie);
            if (!inspected.isDestroyed(bookie)
                    && metadata.fragments().stream()
                            .anyMatch(each -> each.ensemble().contains(id))) {
                held.put(id, inspect(new BookieInspector.Wanted(inspected, bookie, ledgerId, entries.lastKey())));
            }
        }
        entries.forEach((entryId, value) -> ofEntry(metadata, held, entryId, value));
    }

    private SortedMap<Long, Value> inspect(BookieInspector.Wanted wanted) {
        CompletableFuture<SortedMap<Long, Value>> inspection = BookieInspector.inspect(host, wanted);
        inspected.world().runUntil(inspection::isDone, PATIENCE_NANOS);
        if (inspection.isDone() && !inspection.isCompletedExceptionally()) {
            return inspection.join();
        }
        Throwable failure = inspection.isDone()
                ? inspection.handle((found, thrown) -> thrown).join()
                : null;
        stage.violations()
                .add(new Violation(
                        "liveness", wanted.ledgerId(), -1, "inspection of a bookie: " + Failures.rootOf(failure)));
        return new TreeMap<>();
    }

    private void ofEntry(
            LedgerMetadata metadata, Map<BookieId, SortedMap<Long, Value>> held, long entryId, Value value) {
        List<BookieId> ensemble = metadata.fragmentOf(entryId).ensemble();
        Quorums quorums = metadata.quorums();
        int found = 0;
        int needed = quorums.ackQuorum();
        for (int i = 0; i < quorums.writeQuorum(); i++) {
            BookieId member = ensemble.get((int) ((entryId + i) % quorums.ensembleSize()));
            SortedMap<Long, Value> copies = held.getOrDefault(member, new TreeMap<>());
            if (value.equals(copies.get(entryId))) {
                found++;
            } else if (inspected.isDestroyed(inspected.numberOf(member))) {
                needed--;
            }
        }
        long now = stage.world().nanoTime();
        Copies copies = new Copies(entryId, found, needed);
        if (found < needed) {
            stage.history().add(new Call(why, now, now, Result.OK, metadata.ledgerId(), copies));
        }
    }
}
