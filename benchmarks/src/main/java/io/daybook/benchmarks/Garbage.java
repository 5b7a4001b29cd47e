// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerWriter;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Ledgers that were written side by side, so that each log holds a part of all of them, to be deleted; and empty ones.
 *
 * <p><i>Threading:</i> blocks; one thread at a time.
 */
final class Garbage {
    private static final int LEDGERS = 50;
    private static final int KEPT_ONE_IN = 10;
    private static final int BATCH = 64;
    private static final int ENTRY_BYTES = 4 * 1024;

    private final LedgerClient client;
    private final List<Long> doomed = new ArrayList<>();
    private final List<Long> kept = new ArrayList<>();

    private Garbage(LedgerClient client) {
        this.client = client;
    }

    /** Writes it; everything is acknowledged and closed then. */
    static Garbage write(LedgerClient client, CleanupBench.Plan plan) {
        Garbage garbage = new Garbage(client);
        List<LedgerWriter> writers = garbage.create(plan, LEDGERS);
        byte[] payload = LedgerAppends.payloadOf(ENTRY_BYTES);
        long entries = plan.garbageBytes() / ENTRY_BYTES;
        for (long entry = 0; entry < entries; entry++) {
            LedgerWriter writer = writers.get((int) (entry % LEDGERS));
            writer.ready().join();
            writer.append(
                    Unpooled.wrappedBuffer(payload), LedgerWriter.AppendListener.completing(new CompletableFuture<>()));
        }
        for (int i = 0; i < LEDGERS; i++) {
            writers.get(i).close().join();
            (i % KEPT_ONE_IN == 0 ? garbage.kept : garbage.doomed)
                    .add(writers.get(i).ledgerId());
        }
        for (int made = 0; made < plan.deletions(); made += BATCH) {
            List<LedgerWriter> empty = garbage.create(plan, Math.min(BATCH, plan.deletions() - made));
            empty.stream().map(LedgerWriter::close).toList().forEach(CompletableFuture::join);
            empty.forEach(writer -> garbage.doomed.add(writer.ledgerId()));
        }
        return garbage;
    }

    private List<LedgerWriter> create(CleanupBench.Plan plan, int count) {
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(plan.quorums());
        List<CompletableFuture<LedgerWriter>> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(client.create(options));
        }
        return made.stream().map(CompletableFuture::join).toList();
    }

    /** Deletes nine ledgers of ten, and all empty ones, beside what the caller does. */
    Thread beginToDelete() {
        Thread thread = new Thread(() -> delete(doomed), "bench-deletions");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Deletes what was left. */
    void deleteRest() {
        delete(kept);
    }

    private void delete(List<Long> ledgerIds) {
        for (int from = 0; from < ledgerIds.size(); from += BATCH) {
            List<CompletableFuture<Void>> batch = new ArrayList<>();
            for (long ledgerId : ledgerIds.subList(from, Math.min(from + BATCH, ledgerIds.size()))) {
                batch.add(client.delete(ledgerId));
            }
            batch.forEach(CompletableFuture::join);
        }
    }
}
