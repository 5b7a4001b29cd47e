// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * Kills one bookie with SIGKILL under load, again and again, starts it on the same directories, and reads everything back. Ledgers have one copy, so an
 * entry that the bookie lost is found. Old ledgers are deleted, so that cleanup and compaction are killed too.
 *
 * <p><i>Threading:</i> the caller's thread, which waits.
 */
public final class KillLoop {
    private static final int WRITERS = 4;
    private static final int KEPT_LEDGERS = 60;
    private static final int SAMPLE = 4;
    private static final long LOAD_MILLIS_MIN = 40;
    private static final long LOAD_MILLIS_SPREAD = 400;
    private static final long CALL_SECONDS_MAX = 60;
    private static final int READ_BYTES = 512 * 1024;
    private static final int VIOLATIONS_MAX = 10;

    private final Path directory;
    private final int cycles;
    private final int journals;
    private final Random random;
    private final IntConsumer onCycle;
    private final Deque<VerifiedLedger> kept = new ArrayDeque<>();
    private final List<String> violations = new ArrayList<>();
    private int killed;
    private long acknowledged;
    private long verified;
    private long interrupted;
    private long startMillisMax;

    /**
     * A loop of {@code cycles} starts and kills.
     *
     * @param directory where everything is kept; the bookie's messages go to {@code bookie.log} in it
     * @param journals of the bookie
     * @param seed decides when the bookie is killed
     * @param onCycle told after each cycle
     */
    public KillLoop(Path directory, int cycles, int journals, long seed, IntConsumer onCycle) {
        this.directory = directory;
        this.cycles = cycles;
        this.journals = journals;
        this.random = new Random(seed);
        this.onCycle = onCycle;
    }

    /** Runs until all cycles are done or ten things were found wrong. */
    public KillReport run() {
        try (LocalCluster zooKeeperOnly = LocalCluster.builder()
                        .bookies(0)
                        .directory(directory.resolve("metadata"))
                        .start();
                SystemHost host = SystemHost.start()) {
            LedgerClient client = DaybookLedgerClient.open(
                    impatient(),
                    host,
                    zooKeeperOnly.metadataStores(),
                    zooKeeperOnly.metadataStores().cluster().read().join().clusterId());
            try {
                for (int cycle = 1; cycle <= cycles && violations.size() < VIOLATIONS_MAX; cycle++) {
                    cycle(cycle, zooKeeperOnly, client);
                    onCycle.accept(cycle);
                }
                lookAtEverything(zooKeeperOnly, client);
            } finally {
                client.shutdown().join();
            }
        }
        return new KillReport(killed, acknowledged, verified, interrupted, startMillisMax, violations);
    }

    /** A dead bookie is noticed soon, and a writer does not wait for it. */
    private static LedgerClientConfig impatient() {
        return SettingsLoader.of("torture", Map.of("ledger.add-timeout", "5s"))
                .load(List.of(LedgerClientConfig.class))
                .get(LedgerClientConfig.class);
    }

    private MortalProcess start(LocalCluster zooKeeperOnly) {
        return MortalProcess.launch(
                zooKeeperOnly.uri(),
                directory.resolve("bookie"),
                directory.resolve("bookie.log"),
                MortalProcess.Program.small(journals));
    }

    private void cycle(int cycle, LocalCluster zooKeeperOnly, LedgerClient client) {
        try (MortalProcess bookie = start(zooKeeperOnly)) {
            startMillisMax = Math.max(startMillisMax, bookie.awaitReady());
            List<VerifiedLedger> written = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                written.add(VerifiedLedger.create(client));
            }
            deleteOldest(client);
            List<VerifiedLedger> chosen = chooseToRead();
            chosen.add(written.get(0));
            beside(() -> chosen.forEach(ledger -> lookWhileItLives(client, ledger, bookie)));
            load(written);
            if (!bookie.kill()) {
                wrong("cycle " + cycle + ": the bookie ended by itself, see " + directory + "/bookie.log");
            }
            killed++;
            written.forEach(ledger -> acknowledged += ledger.lastAcknowledged() + 1);
            kept.addAll(written);
        } catch (IllegalStateException | CompletionException | UncheckedIOException failure) {
            wrong("cycle " + cycle + ": " + failure.getMessage());
        }
    }

    /** Appends to all of them, for the drawn time from the first acknowledgement on. */
    private void load(List<VerifiedLedger> ledgers) {
        long loadNanos = TimeUnit.MILLISECONDS.toNanos(LOAD_MILLIS_MIN + random.nextLong(LOAD_MILLIS_SPREAD));
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(CALL_SECONDS_MAX);
        boolean isAcknowledged = false;
        while (System.nanoTime() < endNanos) {
            ledgers.forEach(VerifiedLedger::appendSome);
            if (!isAcknowledged && ledgers.stream().anyMatch(ledger -> ledger.lastAcknowledged() >= 0)) {
                isAcknowledged = true;
                endNanos = System.nanoTime() + loadNanos;
            }
            Pauses.millis(1);
        }
        if (!isAcknowledged) {
            throw new IllegalStateException("nothing was acknowledged within " + CALL_SECONDS_MAX + " s");
        }
    }

    /** What was not read back yet, newest first, and a few that were. */
    private List<VerifiedLedger> chooseToRead() {
        List<VerifiedLedger> chosen = new ArrayList<>();
        List<VerifiedLedger> all = new ArrayList<>(kept);
        for (VerifiedLedger ledger : all) {
            if (!ledger.isVerified()) {
                chosen.add(0, ledger);
            }
        }
        for (int i = 0; i < SAMPLE && !all.isEmpty(); i++) {
            chosen.add(all.get(random.nextInt(all.size())));
        }
        return chosen;
    }

    /** Deletes the oldest ledgers that were read back. */
    private void deleteOldest(LedgerClient client) {
        while (kept.size() > KEPT_LEDGERS && kept.getFirst().isVerified()) {
            long ledgerId = kept.removeFirst().ledgerId();
            join(client.delete(ledgerId), "delete ledger " + ledgerId);
        }
    }

    /** The bookie may be killed meanwhile; then it is done again in a later cycle. */
    private void lookWhileItLives(LedgerClient client, VerifiedLedger ledger, MortalProcess bookie) {
        if (!bookie.isAlive()) {
            return;
        }
        try {
            look(client, ledger);
        } catch (IllegalStateException | CompletionException killed) {
            synchronized (this) {
                interrupted++;
            }
        }
    }

    private static void beside(Runnable task) {
        Thread thread = new Thread(task, "torture-reader");
        thread.setDaemon(true);
        thread.start();
    }

    private void lookAtEverything(LocalCluster zooKeeperOnly, LedgerClient client) {
        try (MortalProcess bookie = start(zooKeeperOnly)) {
            startMillisMax = Math.max(startMillisMax, bookie.awaitReady());
            kept.forEach(ledger -> look(client, ledger));
            if (Files.readString(directory.resolve("bookie.log")).contains("state=DAMAGED")) {
                wrong("the bookie calls files damaged, see " + directory + "/bookie.log");
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the bookie's messages cannot be read", unreadable);
        } catch (IllegalStateException | CompletionException failure) {
            wrong("at the end: " + failure.getMessage());
        }
    }

    /** Recovers a ledger, reads all of it, and sees that its old writer cannot go on. */
    private void look(LedgerClient client, VerifiedLedger ledger) {
        LedgerReader reader =
                join(client.recover(ledger.ledgerId(), OpenOptions.DEFAULT), "recover ledger " + ledger.ledgerId());
        long end = reader.lastAddConfirmed();
        if (end < ledger.lastAcknowledged()) {
            wrong("ledger " + ledger.ledgerId() + " ends at " + end + " but " + ledger.lastAcknowledged()
                    + " was acknowledged");
        }
        if (ledger.closedAt(end) != end) {
            wrong("ledger " + ledger.ledgerId() + " ended at " + ledger.closedAt(end) + " and now ends at " + end);
        }
        long next = 0;
        while (next <= end) {
            try (LedgerEntries entries = join(
                    reader.read(next, 1_000, READ_BYTES), "read entry " + next + " of ledger " + ledger.ledgerId())) {
                next = compare(ledger, entries, next);
            }
        }
        reader.close();
        ledger.verified();
    }

    /** Returns the id after the last entry. */
    private long compare(VerifiedLedger ledger, LedgerEntries entries, long first) {
        long next = first;
        for (LedgerEntries.Entry entry : entries.list()) {
            boolean isRight =
                    entry.entryId() == next && VerifiedLedger.isIntact(ledger.ledgerId(), next, entry.payload());
            if (!isRight) {
                wrong("entry " + next + " of ledger " + ledger.ledgerId() + " is not what was written");
            }
            next++;
            count();
        }
        return next;
    }

    private synchronized void wrong(String what) {
        violations.add(what);
    }

    private synchronized void count() {
        verified++;
    }

    private static <T> T join(CompletableFuture<T> outcome, String what) {
        try {
            return outcome.get(CALL_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw new CompletionException(what + ": " + failure.getCause(), failure.getCause());
        } catch (TimeoutException silent) {
            throw new IllegalStateException(what + ": no answer within " + CALL_SECONDS_MAX + " s", silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(what + ": interrupted", interrupted);
        }
    }
}
