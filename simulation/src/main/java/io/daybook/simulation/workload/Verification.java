// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerReport.Flaw;
import io.daybook.ledger.api.LedgerReport.Kind;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.testkit.check.Violation;

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
        for (Flaw flaw : report.flaws()) {
            check(
                    flaw.kind() != Kind.DAMAGED || stage.cluster().isDamaged(flaw.bookie()),
                    "has no damaged copies on bookie " + flaw.bookie().shortText());
        }
        if (report.isSound()) {
            stage.world().faults().count(LedgerSituations.VERIFIED);
        }
    }

    private void check(boolean condition, String right) {
        if (!condition) {
            stage.violations()
                    .add(new Violation("verification", ledgerId, -1, "a check of its copies missed that it " + right));
        }
    }
}
