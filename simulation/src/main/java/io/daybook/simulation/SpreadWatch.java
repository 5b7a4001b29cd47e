// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.ledger.placement.PlacementRules;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.protocol.BookieId;
import io.daybook.simulation.plan.Spread;
import io.daybook.simulation.workload.LedgerSituations;
import io.daybook.simulation.workload.Stage;
import io.daybook.testkit.check.Violation;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** S-13: where rules are enforced, the bookies of every write set are in as many racks and regions as these demand, whenever metadata is written. */
final class SpreadWatch {
    private final Stage stage;
    private final Spread spread;
    /** Of all bookies that ever were. */
    private final Map<BookieId, String> labels = new TreeMap<>();

    private SpreadWatch(Spread spread, Stage stage) {
        this.spread = spread;
        this.stage = stage;
    }

    /** Watches from now on, if rules are enforced. */
    static void begin(Spread spread, Stage stage) {
        if (spread.rules().isEnforced()) {
            SpreadWatch watch = new SpreadWatch(spread, stage);
            stage.cluster().transitions().onCreation(watch::check);
            stage.cluster().transitions().onChange((before, after) -> {
                watch.check(after);
                if (!before.fragments().equals(after.fragments())) {
                    stage.world().faults().count(LedgerSituations.CHANGED_WITHIN_RULE);
                }
            });
        }
    }

    private void check(LedgerMetadata metadata) {
        for (int i = 0; i < stage.cluster().bookies(); i++) {
            labels.put(stage.cluster().idOf(i), spread.labelOf(i));
        }
        PlacementRules rules = spread.rules();
        for (Fragment fragment : metadata.fragments()) {
            for (int first = 0; first < metadata.quorums().ensembleSize(); first++) {
                require(metadata, fragment, first, rules.racksMin(), label -> label);
                require(metadata, fragment, first, rules.regionsMin(), SpreadWatch::regionOf);
            }
        }
    }

    private static String regionOf(String label) {
        return label.substring(0, Math.max(0, label.indexOf('/')));
    }

    private void require(
            LedgerMetadata metadata, Fragment fragment, int first, int min, UnaryOperator<String> domainOf) {
        int size = metadata.quorums().ensembleSize();
        int copies = metadata.quorums().writeQuorum();
        Set<String> domains = new TreeSet<>();
        for (int i = 0; i < copies; i++) {
            BookieId bookie = fragment.ensemble().get((first + i) % size);
            domains.add(domainOf.apply(labels.getOrDefault(bookie, "")));
        }
        if (domains.size() < Math.min(min, copies)) {
            stage.violations()
                    .add(new Violation(
                            "placement",
                            metadata.ledgerId(),
                            fragment.firstEntryId(),
                            "a write set is in " + domains + " only, and " + min + " are demanded"));
        }
    }
}
