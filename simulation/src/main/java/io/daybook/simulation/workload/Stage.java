// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerException;
import io.daybook.runtime.Failures;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What all parts of a run share: the cluster, the history, and which ledgers are known to be closed. */
public final class Stage {
    private final SimulatedCluster cluster;
    private final LedgerClientConfig clientConfig;
    private final History history = new History();
    private final Set<Long> closed = new TreeSet<>();
    private final List<Violation> violations = new ArrayList<>();

    /** A stage with a cluster that runs. */
    public Stage(SimulatedCluster cluster, Knobs knobs) {
        this.cluster = cluster;
        this.clientConfig = SettingsLoader.with(
                LedgerClientConfig.class,
                Map.of(
                        "ledger.connect-timeout", knobs.readMillis() + "ms",
                        "ledger.add-timeout", knobs.addMillis() + "ms",
                        "ledger.read-timeout", knobs.readMillis() + "ms",
                        "ledger.silence-timeout", knobs.silenceMillis() + "ms",
                        "ledger.publish-delay", "0ms"));
    }

    /** The world. */
    public SimulatedWorld world() {
        return cluster.world();
    }

    /** The bookies and the metadata. */
    public SimulatedCluster cluster() {
        return cluster;
    }

    /** Every call so far. */
    public History history() {
        return history;
    }

    /** What the parts of the run found wrong by themselves. */
    public List<Violation> violations() {
        return violations;
    }

    /** A machine for a client. */
    public ClientNode node(String machine) {
        return new ClientNode(this, machine);
    }

    LedgerClientConfig clientConfig() {
        return clientConfig;
    }

    void closed(long ledgerId) {
        closed.add(ledgerId);
    }

    boolean isClosed(long ledgerId) {
        return closed.contains(ledgerId);
    }

    /** What a failure says of the outcome. Whatever is not a failure of the ledger layer is a violation. */
    Result resultOf(long ledgerId, @Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root == null) {
            return Result.OK;
        }
        if (!(root instanceof LedgerException known) || known instanceof LedgerException.Bug) {
            violations.add(new Violation("unexpected-failure", ledgerId, -1, String.valueOf(root)));
            return Result.UNKNOWN;
        }
        return known.outcome() == LedgerException.Outcome.FAILED ? Result.FAILED : Result.UNKNOWN;
    }
}
