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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * L2: every entry that was acknowledged has as many durable copies as it needs, on the bookies that metadata names. B2, B3: a bookie that has told of a
 * fence still knows of it. Each bookie is read alone.
 */
final class CopyCount {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final int ATTEMPTS_MAX = 5;

    private final Stage stage;
    private final SimulatedCluster inspected;
    private final SimulatedHost host;
    private final String why;
    private final SortedMap<Long, Acknowledged> ledgers = new TreeMap<>();
    private final SortedMap<BookieId, SortedMap<Long, SortedMap<Long, Value>>> held = new TreeMap<>();
    private LongPredicate isWanted = ledgerId -> true;

    /** What was acknowledged in a ledger, and where metadata says it is. */
    private record Acknowledged(LedgerMetadata metadata, SortedMap<Long, Value> entries) {}

    /** Of one process of a bookie. */
    private record Inspection(
            int bookie, Optional<SimulatedHost> process, CompletableFuture<BookieInspector.Found> found) {
        private boolean hasEnded(SimulatedCluster inspected) {
            return !inspected.isServing(bookie) || !inspected.processOf(bookie).equals(process);
        }
    }

    private CopyCount(Stage stage, SimulatedCluster inspected, String why) {
        this.stage = stage;
        this.inspected = inspected;
        this.why = why;
        this.host = inspected.world().machine("inspector-" + why).start();
    }

    /** Counts the copies of all ledgers that are not deleted; adds what it finds to the history. */
    static void take(Stage stage, String why) {
        new CopyCount(stage, stage.cluster(), why).count(ledgerId -> true);
    }

    /** As {@link #take} for one ledger, of what the bookies would still hold if the power failed now. The world of the stage stands still meanwhile. */
    static void takeAsIfPowerFailed(Stage stage, long ledgerId, long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        try {
            SimulatedCluster twin = stage.cluster().twinAfterPowerLoss(world);
            new CopyCount(stage, twin, "power-loss-" + seed).count(id -> id == ledgerId);
        } catch (IllegalStateException failure) {
            stage.violations()
                    .add(new Violation("durability", -1, -1, "after a loss of power now: " + failure.getMessage()));
        }
    }

    private void count(LongPredicate wanted) {
        isWanted = wanted;
        for (Call call : stage.history().calls()) {
            long ledgerId = call.ledgerId();
            if (call.detail() instanceof Append append
                    && call.result() == Result.OK
                    && wanted.test(ledgerId)
                    && !stage.register().isDeletionBegun(ledgerId)) {
                ledgers.computeIfAbsent(ledgerId, this::begin).entries().put(append.entryId(), append.value());
            }
        }
        inspect();
        ledgers.values()
                .forEach(ledger ->
                        ledger.entries().forEach((entryId, value) -> ofEntry(ledger.metadata(), entryId, value)));
    }

    private Acknowledged begin(long ledgerId) {
        return new Acknowledged(
                stage.cluster().ledgers().readLatest(ledgerId).join().value(), new TreeMap<>());
    }

    /** Reads all bookies at the same time. A disk that stalled may tell one only now of a failure from before: it ends, and is read when it is up again. */
    private void inspect() {
        List<Inspection> inspections = new ArrayList<>();
        for (int bookie = 0; bookie < inspected.bookies(); bookie++) {
            if (inspected.isServing(bookie) && !wantedOf(bookie).isEmpty()) {
                inspections.add(begin(bookie));
            }
        }
        for (int attempt = 1; attempt <= ATTEMPTS_MAX && !inspections.isEmpty(); attempt++) {
            List<Inspection> running = inspections;
            inspected.world().runUntil(() -> running.stream().allMatch(each -> each.found.isDone()), PATIENCE_NANOS);
            boolean isLast = attempt == ATTEMPTS_MAX;
            List<Integer> again = running.stream()
                    .filter(each -> !isLast && each.found.isCompletedExceptionally() && each.hasEnded(inspected))
                    .map(Inspection::bookie)
                    .toList();
            running.stream().filter(each -> !again.contains(each.bookie)).forEach(this::take);
            inspected.world().runUntil(() -> again.stream().allMatch(inspected::isServing), PATIENCE_NANOS);
            inspections = again.stream().map(this::begin).toList();
        }
    }

    private Inspection begin(int bookie) {
        BookieInspector.Wanted wanted =
                new BookieInspector.Wanted(inspected, bookie, wantedOf(bookie), stage::digestOf);
        return new Inspection(bookie, inspected.processOf(bookie), BookieInspector.inspect(host, wanted));
    }

    private void take(Inspection inspection) {
        BookieId id = inspected.idOf(inspection.bookie);
        CompletableFuture<BookieInspector.Found> found = inspection.found;
        if (found.isDone() && !found.isCompletedExceptionally()) {
            held.put(id, found.join().entries());
            checkFences(id, found.join());
            return;
        }
        String reason = found.isDone()
                ? String.valueOf(
                        Failures.rootOf(found.handle((read, thrown) -> thrown).join()))
                : "it does not end";
        stage.violations().add(new Violation("liveness", -1, -1, "inspection of bookie " + id + ": " + reason));
    }

    private SortedMap<Long, Long> wantedOf(int bookie) {
        BookieId id = inspected.idOf(bookie);
        SortedMap<Long, Long> lastEntryIds = new TreeMap<>();
        fencedAt(bookie).forEach(ledgerId -> lastEntryIds.put(ledgerId, 0L));
        ledgers.forEach((ledgerId, ledger) -> {
            boolean isMember = ledger.metadata().fragments().stream()
                    .anyMatch(each -> each.ensemble().contains(id));
            if (isMember) {
                lastEntryIds.put(ledgerId, ledger.entries().lastKey());
            }
        });
        return lastEntryIds;
    }

    private List<Long> fencedAt(int bookie) {
        return stage.cluster().fencedAt(bookie).stream()
                .filter(ledgerId -> isWanted.test(ledgerId) && !stage.register().isDeletionBegun(ledgerId))
                .toList();
    }

    private void checkFences(BookieId id, BookieInspector.Found found) {
        int bookie = inspected.numberOf(id);
        if (inspected.isDamaged(id)) {
            return;
        }
        for (long ledgerId : fencedAt(bookie)) {
            if (!found.fenced().contains(ledgerId)) {
                String text = SimulatedCluster.machineOf(bookie) + " has told of a fence and does not know of it, as "
                        + why + " found";
                stage.violations().add(new Violation("fence-forgotten", ledgerId, -1, text));
            }
        }
    }

    private void ofEntry(LedgerMetadata metadata, long entryId, Value value) {
        List<BookieId> ensemble = metadata.fragmentOf(entryId).ensemble();
        Quorums quorums = metadata.quorums();
        int found = 0;
        int needed = stage.needsAllCopies(metadata.ledgerId()) ? quorums.writeQuorum() : quorums.ackQuorum();
        for (int i = 0; i < quorums.writeQuorum(); i++) {
            BookieId member = ensemble.get((int) ((entryId + i) % quorums.ensembleSize()));
            Map<Long, Value> copies =
                    held.getOrDefault(member, new TreeMap<>()).getOrDefault(metadata.ledgerId(), new TreeMap<>());
            if (value.equals(copies.get(entryId))) {
                found++;
            } else if (inspected.isDamaged(member)) {
                needed--;
            }
        }
        long now = stage.world().nanoTime();
        if (found < needed) {
            Copies copies = new Copies(entryId, found, needed);
            stage.history().add(new Call(why, now, now, Result.OK, metadata.ledgerId(), copies));
        }
    }
}
