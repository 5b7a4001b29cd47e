// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.metadata.Page;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.testkit.check.Violation;
import java.util.Set;
import java.util.TreeSet;

/** One listing of all ledgers, page by page: a complete one holds every ledger that was there all the time and none that was gone before (M7). */
final class Listing {
    private static final int PAGE_MAX = 10;

    private final ClientNode node;
    private final Stage stage;
    private final SimulatedRandom random;
    private final Set<Long> living;
    private final Set<Long> gone;
    private final Set<Long> found = new TreeSet<>();

    Listing(ClientNode node, SimulatedRandom random) {
        this.node = node;
        this.stage = node.stage();
        this.random = random;
        this.living = stage.register().living();
        this.gone = new TreeSet<>(stage.register().deleted());
    }

    /** Lists; tells {@code done} at the end, also when it failed. */
    void begin(Runnable done) {
        next(-1, done);
    }

    private void next(long afterLedgerId, Runnable done) {
        node.client().list(afterLedgerId, 1 + random.below(PAGE_MAX)).whenComplete((page, failure) -> {
            if (failure != null) {
                stage.resultOf(-1, failure);
                done.run();
            } else if (take(page, afterLedgerId) && !page.isLast()) {
                next(page.items().get(page.items().size() - 1), done);
            } else {
                done.run();
            }
        });
    }

    /** Whether it can go on. */
    private boolean take(Page<Long> page, long afterLedgerId) {
        long last = afterLedgerId;
        for (long ledgerId : page.items()) {
            if (ledgerId <= last) {
                wrong(ledgerId, "is listed after " + last);
                return false;
            }
            last = ledgerId;
            found.add(ledgerId);
        }
        if (page.isLast()) {
            judge();
        } else if (page.items().isEmpty()) {
            wrong(last, "is followed by an empty page that is not the last one");
            return false;
        }
        return true;
    }

    private void judge() {
        living.stream()
                .filter(ledgerId ->
                        !found.contains(ledgerId) && !stage.register().isDeletionBegun(ledgerId))
                .forEach(ledgerId -> wrong(ledgerId, "is missing in a complete listing"));
        gone.stream()
                .filter(found::contains)
                .forEach(ledgerId -> wrong(ledgerId, "is listed after its deletion had succeeded"));
    }

    private void wrong(long ledgerId, String text) {
        stage.violations().add(new Violation("listing", ledgerId, -1, text));
    }
}
