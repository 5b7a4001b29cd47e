// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerReport.Flaw;
import io.daybook.ledger.api.LedgerReport.Kind;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.testkit.check.Violation;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** One check of all copies of a closed ledger: it looks at every copy, up to the end, and calls nothing damaged that is not. */
final class Verification {
    private final ClientNode node;
    private final Stage stage;
    private final long ledgerId;

    Verification(ClientNode node, long ledgerId) {
        this.node = node;
        this.stage = node.stage();
        this.ledgerId = ledgerId;
    }

    /** Has the copies checked; tells {@code done} at the end, also when it failed. */
    void begin(Runnable done) {
        node.client().verify(ledgerId, stage.openOptions(ledgerId)).whenComplete((report, failure) -> {
            if (failure == null) {
                judge(report);
            } else {
                stage.resultOf(ledgerId, failure);
                stage.isGone(ledgerId, failure);
            }
            done.run();
        });
    }

    private void judge(LedgerReport report) {
        if (stage.register().isDeletionBegun(ledgerId)) {
            return;
        }
        LedgerMetadata closed =
                stage.cluster().ledgers().readLatest(ledgerId).join().value();
        long copies = (closed.lastEntryId() + 1) * closed.quorums().writeQuorum();
        check(report.lastEntryId() == closed.lastEntryId(), "ends at " + closed.lastEntryId());
        check(report.soundCopies() + report.flawedCopies() == copies, "has " + copies + " copies");
        long listed = 0;
        SortedMap<Long, Integer> missing = new TreeMap<>();
        for (Flaw flaw : report.flaws()) {
            boolean isSoundBookie = !stage.cluster().isDamaged(flaw.bookie());
            check(
                    flaw.kind() != Kind.DAMAGED || !isSoundBookie,
                    "has no damaged copies on bookie " + flaw.bookie().shortText());
            for (long entryId = flaw.firstEntryId(); entryId <= flaw.lastEntryId(); entryId++) {
                if (isKept(closed, entryId, flaw.bookie())) {
                    listed++;
                    missing.merge(entryId, flaw.kind() == Kind.MISSING && isSoundBookie ? 1 : 0, Integer::sum);
                }
            }
        }
        boolean areAllListed = report.flaws().size() < LedgerReport.FLAWS_MAX;
        check(!areAllListed || listed == report.flawedCopies(), "has " + listed + " flawed copies, as its list says");
        checkMissing(closed, missing);
        if (report.isSound()) {
            stage.world().faults().count(LedgerSituations.VERIFIED);
        }
    }

    private static boolean isKept(LedgerMetadata closed, long entryId, BookieId bookie) {
        List<BookieId> ensemble = closed.fragmentOf(entryId).ensemble();
        Quorums quorums = closed.quorums();
        return IntStream.range(0, quorums.writeQuorum())
                .anyMatch(i -> ensemble.get((int) ((entryId + i) % quorums.ensembleSize()))
                        .equals(bookie));
    }

    /** L2: bookies with sound disks have of each entry as many copies as it needs. */
    private void checkMissing(LedgerMetadata closed, SortedMap<Long, Integer> missing) {
        Quorums quorums = closed.quorums();
        int needed = stage.needsAllCopies(ledgerId) ? quorums.writeQuorum() : quorums.ackQuorum();
        missing.forEach((entryId, count) ->
                check(count <= quorums.writeQuorum() - needed, "has " + needed + " copies of entry " + entryId));
    }

    private void check(boolean condition, String right) {
        if (!condition) {
            stage.violations()
                    .add(new Violation("verification", ledgerId, -1, "a check of its copies missed that it " + right));
        }
    }
}
