// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.OpenOptions;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Result;
import java.util.Set;
import java.util.TreeSet;

/** A client that recovers the ledgers it is told to, and does not give up. */
public final class Recoverer {
    private static final long RETRY_NANOS = 300_000_000L;

    private final Stage stage;
    private final ClientNode node;
    private final Set<Long> wanted = new TreeSet<>();

    /** A recoverer that has nothing to do. */
    public Recoverer(Stage stage, ClientNode node) {
        this.stage = stage;
        this.node = node;
    }

    /** Where it runs. */
    public ClientNode node() {
        return node;
    }

    /** Whether it has nothing to do. */
    public boolean isIdle() {
        return wanted.isEmpty();
    }

    /** What it still has to recover. */
    public Set<Long> wanted() {
        return wanted;
    }

    /** Starts its process, which goes on with what is not recovered yet. */
    public void start() {
        node.start();
        wanted.forEach(this::attempt);
    }

    /** Ends its process; {@link #start} goes on. */
    public void crash(long sessionNanos) {
        node.crash(sessionNanos);
    }

    /** Recovers a ledger, now or when it is up again. */
    public void recover(long ledgerId) {
        if (wanted.add(ledgerId) && node.isUp()) {
            attempt(ledgerId);
        }
    }

    private void attempt(long ledgerId) {
        int incarnation = node.incarnation();
        int call = stage.history().begin(node.process(), stage.world().nanoTime(), ledgerId, new Closing(true, -1));
        node.client().recover(ledgerId, OpenOptions.DEFAULT).whenComplete((reader, failure) -> {
            Result result = stage.resultOf(ledgerId, failure);
            long end = failure == null ? reader.lastAddConfirmed() : -1;
            stage.history().end(call, stage.world().nanoTime(), result, new Closing(true, end));
            if (failure == null) {
                reader.close();
                stage.closed(ledgerId);
                wanted.remove(ledgerId);
                return;
            }
            stage.world().after(RETRY_NANOS, () -> {
                if (node.isUp() && node.incarnation() == incarnation) {
                    attempt(ledgerId);
                }
            });
        });
    }
}
