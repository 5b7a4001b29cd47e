// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;

/**
 * Gives one bookie, a process with little memory, more than it can take (S-44): many clients append as fast as they may while others read old entries.
 * It must neither end nor take more memory than it was given, refuse nothing that its clients wait for, and be as quick as before soon after the load.
 *
 * <p><i>Threading:</i> the caller's thread, which waits; one thread for each client and each reader.
 */
public final class OverloadRun {
    private static final int READERS = 8;
    private static final int PROBES = 200;
    private static final int STOP_SECONDS_MAX = 30;
    private static final int VIOLATIONS_MAX = 10;
    private static final long MEBIBYTE = 1024 * 1024;

    /** As fast as before: so many times the quiet median, or so much more, since a quiet append takes less than a tick of many things. */
    private static final int RECOVERED_FACTOR = 3;

    private static final long RECOVERED_NANOS = 10_000_000;

    private final Path directory;
    private final Plan plan;
    private final LongConsumer onSecond;
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

    /**
     * What to do.
     *
     * @param clients that append, each with links of its own
     * @param memoryBytes of the bookie's process, in all
     * @param duration of the load
     * @param recovery how long after the load appends may be slow
     */
    public record Plan(int clients, long memoryBytes, Duration duration, Duration recovery) {
        /** The least memory with which a bookie of this kind works. */
        public static final long MEMORY_BYTES_MIN = 256 * MEBIBYTE;

        /** Checks the bounds; throws {@link IllegalArgumentException}. */
        public Plan {
            if (clients < 1 || memoryBytes < MEMORY_BYTES_MIN) {
                throw new IllegalArgumentException("at least one client and 256m of memory are needed");
            }
        }
    }

    /**
     * A run.
     *
     * @param directory where everything is kept; the bookie's messages go to {@code bookie.log} in it
     * @param onSecond told after each second of the load how many have passed
     */
    public OverloadRun(Path directory, Plan plan, LongConsumer onSecond) {
        this.directory = directory;
        this.plan = plan;
        this.onSecond = onSecond;
    }

    /** Runs all of it. */
    public OverloadReport run() {
        try (LocalCluster zooKeeperOnly = LocalCluster.builder()
                        .bookies(0)
                        .directory(directory.resolve("metadata"))
                        .start();
                SystemHost host = SystemHost.start();
                MortalProcess bookie = MortalProcess.launch(
                        zooKeeperOnly.uri(), directory.resolve("bookie"), directory.resolve("bookie.log"), program())) {
            bookie.awaitReady();
            return load(zooKeeperOnly, host, bookie);
        }
    }

    /** A share of the memory for each of the parts of a bookie that take any; what is left is the virtual machine's own. */
    private MortalProcess.Program program() {
        long mebibytes = plan.memoryBytes() / MEBIBYTE;
        long slab = Math.min(64, mebibytes / 16);
        long answers = Math.min(64, mebibytes / 16);
        return new MortalProcess.Program(
                List.of(
                        "-Xmx" + mebibytes / 5 + "m",
                        "-XX:MaxDirectMemorySize=" + mebibytes / 2 + "m",
                        "-XX:ReservedCodeCacheSize=32m",
                        "-XX:MaxMetaspaceSize=64m"),
                List.of(
                        "bookie.slab-bytes=" + slab + "MiB",
                        "bookie.answer-bytes-max=" + answers + "MiB",
                        "bookie.cleanup.interval=2s",
                        "bookie.cleanup.grace=0s",
                        "bookie.cleanup.trash-retention=0s"));
    }

    private LedgerClient client(LocalCluster zooKeeperOnly, SystemHost host) {
        // Little of each client is under way, and none gives up: what is tested is the bookie. A new link waits its
        // turn too.
        LedgerClientConfig config = SettingsLoader.of(
                        "torture",
                        Map.of(
                                "ledger.connect-timeout", "1m",
                                "ledger.add-timeout", "2m",
                                "ledger.read-timeout", "1m",
                                "ledger.silence-timeout", "1m",
                                "ledger.lag-timeout", "2m",
                                "ledger.writer-bytes-max", "4MiB",
                                "ledger.bookie-bytes-max", "4MiB",
                                "ledger.client-bytes-max", "4MiB"))
                .load(List.of(LedgerClientConfig.class))
                .get(LedgerClientConfig.class);
        return DaybookLedgerClient.open(
                config,
                host,
                zooKeeperOnly.metadataStores(),
                zooKeeperOnly.metadataStores().cluster().read().join().clusterId());
    }

    private OverloadReport load(LocalCluster zooKeeperOnly, SystemHost host, MortalProcess bookie) {
        List<LedgerClient> clients = new ArrayList<>();
        try {
            LedgerClient own = client(zooKeeperOnly, host);
            clients.add(own);
            AppendProbe probe = new AppendProbe(VerifiedLedger.create(own));
            probe.medianNanos(PROBES);
            long quietNanos = probe.medianNanos(PROBES);
            OverloadShelf shelf = new OverloadShelf(own);
            List<OverloadLane> lanes = new ArrayList<>();
            for (int i = 0; i < plan.clients(); i++) {
                LedgerClient client = client(zooKeeperOnly, host);
                clients.add(client);
                lanes.add(new OverloadLane(() -> VerifiedLedger.create(client), shelf, this::wrong));
            }
            List<OverloadReader> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(new OverloadReader(own, shelf, i, this::wrong));
            }
            lanes.forEach(OverloadLane::start);
            readers.forEach(OverloadReader::start);
            passTime(bookie);
            readers.forEach(OverloadReader::stop);
            lanes.forEach(OverloadLane::stop);
            int recoverySeconds = lookBack(bookie, probe, quietNanos, shelf);
            long resident = bookie.residentBytesMax();
            end(bookie, resident);
            return new OverloadReport(
                    lanes.stream().mapToLong(OverloadLane::acknowledged).sum(),
                    lanes.stream().mapToLong(OverloadLane::acknowledgedBytes).sum(),
                    shelf.verified(),
                    quietNanos / 1_000,
                    lanes.stream().mapToLong(OverloadLane::longestNanos).max().orElse(0) / 1_000_000,
                    recoverySeconds,
                    resident,
                    violations);
        } finally {
            clients.forEach(client -> client.shutdown().join());
        }
    }

    /** How many seconds it took until appends were as fast as before, -1 for never; then reads everything back. A bookie that is gone tells nothing more. */
    private int lookBack(MortalProcess bookie, AppendProbe probe, long quietNanos, OverloadShelf shelf) {
        if (!bookie.isAlive()) {
            return -1;
        }
        try {
            int recoverySeconds = recover(probe, quietNanos);
            shelf.verifyAll(this::wrong);
            return recoverySeconds;
        } catch (CompletionException failure) {
            wrong("after the load: " + failure.getMessage());
            return -1;
        }
    }

    private void passTime(MortalProcess bookie) {
        for (long second = 1; second <= plan.duration().toSeconds() && violations.isEmpty(); second++) {
            Pauses.millis(1_000);
            if (!bookie.isAlive()) {
                wrong("the bookie ended under load, see " + directory + "/bookie.log");
            }
            onSecond.accept(second);
        }
    }

    private int recover(AppendProbe probe, long quietNanos) {
        long bound = Math.max(RECOVERED_FACTOR * quietNanos, quietNanos + RECOVERED_NANOS);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < plan.recovery().toNanos()) {
            if (probe.medianNanos(PROBES / 4) <= bound) {
                return (int) Duration.ofNanos(System.nanoTime() - begun).toSeconds();
            }
        }
        wrong("appends took " + quietNanos / 1_000 + " us before the load and were not as fast "
                + plan.recovery().toSeconds() + " s after it");
        return -1;
    }

    private void end(MortalProcess bookie, long residentBytes) {
        if (residentBytes > plan.memoryBytes()) {
            wrong("the bookie took " + residentBytes / MEBIBYTE + " MiB of memory, more than "
                    + plan.memoryBytes() / MEBIBYTE);
        }
        int exitCode = bookie.stop(STOP_SECONDS_MAX);
        if (exitCode != 0) {
            wrong("the bookie did not stop in order: " + (exitCode < 0 ? "it goes on" : "exit code " + exitCode));
        }
        try {
            String messages = Files.readString(directory.resolve("bookie.log"));
            for (String bad : List.of("OutOfMemory", "LEAK", "state=DAMAGED")) {
                if (messages.contains(bad)) {
                    wrong("the bookie's messages say " + bad + ", see " + directory + "/bookie.log");
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the bookie's messages cannot be read", unreadable);
        }
    }

    private void wrong(String what) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(what);
        }
    }
}
