// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerReader;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Result;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A client that recovers the ledgers it is told to, and does not give up. */
public final class Recoverer implements Workload {
    private static final long RETRY_NANOS = 300_000_000L;

    private final Stage stage;
    private final ClientNode node;
    private final Set<Long> wanted = new TreeSet<>();

    /** A recoverer that has nothing to do. */
    public Recoverer(ClientNode node) {
        this.stage = node.stage();
        this.node = node;
    }

    /** Where it runs. */
    public ClientNode node() {
        return node;
    }

    @Override
    public boolean isDone() {
        return wanted.isEmpty();
    }

    @Override
    public String describe() {
        return node.machine() + " has to recover " + wanted;
    }

    @Override
    public void started() {
        wanted.forEach(this::attempt);
    }

    @Override
    public void crashed() {}

    /** Recovers a ledger, now or when it is up again. */
    public void recover(long ledgerId) {
        if (wanted.add(ledgerId) && node.isUp()) {
            attempt(ledgerId);
        }
    }

    private void attempt(long ledgerId) {
        int call = stage.history().begin(node.process(), stage.world().nanoTime(), ledgerId, new Closing(true, -1));
        node.client().recover(ledgerId, stage.openOptions(ledgerId)).whenComplete((reader, failure) -> {
            Result result = stage.resultOf(ledgerId, failure);
            long end = failure == null ? reader.lastAddConfirmed() : -1;
            stage.history().end(call, stage.world().nanoTime(), result, new Closing(true, end));
            if (failure != null && !stage.isGone(ledgerId, failure)) {
                node.later(RETRY_NANOS, () -> attempt(ledgerId));
                return;
            }
            wanted.remove(ledgerId);
            recovered(ledgerId, reader);
        });
    }

    private void recovered(long ledgerId, @Nullable LedgerReader reader) {
        if (reader != null) {
            reader.close();
            stage.register().closed(ledgerId);
        }
    }
}
