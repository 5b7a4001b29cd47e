// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.daybook.testkit.cluster.LocalCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Fills the journal of a bookie with large slabs, kills it with SIGKILL and takes the time of its next start, which replays all of that.
 *
 * <p><i>Threading:</i> the caller's thread, which waits.
 */
public final class RestartTimes {
    /** The bookie's memory has room for the slabs of such a journal. */
    public static final long JOURNAL_BYTES_MAX = 128L * 1024 * 1024;

    private static final long MEBIBYTE = 1024 * 1024;

    private final Path directory;
    private final long journalBytes;
    private final int starts;
    private final IntConsumer onStart;

    /**
     * A measurement.
     *
     * @param directory where everything is kept; the bookie's messages go to {@code bookie.log} in it
     * @param journalBytes of payload that the journal holds at each kill, at most {@link #JOURNAL_BYTES_MAX}
     * @param starts that are timed
     * @param onStart told after each
     */
    public RestartTimes(Path directory, long journalBytes, int starts, IntConsumer onStart) {
        this.directory = directory;
        this.journalBytes = journalBytes;
        this.starts = starts;
        this.onStart = onStart;
    }

    /** How many milliseconds each start took, from the opening of the directories until the bookie served. */
    public List<Long> run() {
        List<Long> millis = new ArrayList<>();
        try (LocalCluster zooKeeperOnly = LocalCluster.builder()
                        .bookies(0)
                        .directory(directory.resolve("metadata"))
                        .start();
                SystemHost host = SystemHost.start()) {
            LedgerClient client = DaybookLedgerClient.open(
                    SettingsLoader.defaults(LedgerClientConfig.class),
                    host,
                    zooKeeperOnly.metadataStores(),
                    zooKeeperOnly.metadataStores().cluster().read().join().clusterId());
            try {
                // The first one has nothing to replay.
                fillAndKill(zooKeeperOnly, client);
                for (int start = 1; start <= starts; start++) {
                    millis.add(fillAndKill(zooKeeperOnly, client));
                    onStart.accept(start);
                }
            } finally {
                client.shutdown().join();
            }
        }
        return millis;
    }

    /** How many milliseconds the start took. */
    private long fillAndKill(LocalCluster zooKeeperOnly, LedgerClient client) {
        try (MortalProcess bookie = launch(zooKeeperOnly)) {
            long took = bookie.awaitReady();
            fill(client);
            bookie.kill();
            return took;
        }
    }

    private MortalProcess launch(LocalCluster zooKeeperOnly) {
        return MortalProcess.launch(
                zooKeeperOnly.uri(),
                directory.resolve("bookie"),
                directory.resolve("bookie.log"),
                new MortalProcess.Program(
                        List.of("-Xmx512m", "-XX:MaxDirectMemorySize=1g"),
                        List.of("bookie.flush-age=1h", "bookie.slab-bytes=" + slabMebibytes() + "MiB")));
    }

    /** A slab holds all of it, with room for headers and for what commits leave empty. */
    private long slabMebibytes() {
        return Math.max(64, journalBytes * 2 / MEBIBYTE);
    }

    private void fill(LedgerClient client) {
        VerifiedLedger ledger = VerifiedLedger.create(client);
        LedgerWriter writer = ledger.writer();
        while (writer.lengthBytes() < journalBytes && !writer.failure().isDone()) {
            ledger.room().join();
            ledger.appendSome();
        }
        ledger.appendNext().join();
    }
}
