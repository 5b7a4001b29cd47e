// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.storage;

import io.daybook.benchmarks.cluster.LedgerConnection;
import io.daybook.benchmarks.machine.ScratchDirectory;
import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.system.SystemHost;
import io.netty.buffer.Unpooled;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Counts the bytes that one bookie writes and reads for the payload that it is given: write amplification of journal, entry log, index and compaction,
 * bytes of index an entry, read amplification of reads in sequence and at random. The figures are counts, not times: a busy machine does not change
 * them, except that fewer appends share a journal commit when they arrive slowly.
 */
public final class StorageCost {
    private static final URI NAMESPACE = URI.create("memory:storage-cost");
    private static final int WINDOW = 256;
    private static final int READS = 500;

    private final int ledgers;
    private final int entriesOfLedger;
    private final int entryBytes;
    private final BookieConfig config;
    private final PrintStream out;
    private final DiskTraffic traffic = new DiskTraffic();

    private StorageCost(int ledgers, int entriesOfLedger, int entryBytes, BookieConfig config, PrintStream out) {
        this.ledgers = ledgers;
        this.entriesOfLedger = entriesOfLedger;
        this.entryBytes = entryBytes;
        this.config = config;
        this.out = out;
    }

    /** {@code [ledgers [entries of each [bytes of an entry]]]}; half of the ledgers are deleted at the end. */
    public static void main(String[] arguments) {
        int ledgers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        int entries = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
        int bytes = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1_024;
        try (ScratchDirectory scratch = ScratchDirectory.create("daybook-storage-cost")) {
            BookieConfig config = BookieConfig.defaults()
                    .withName("storage-cost")
                    .withDirectories(
                            List.of(scratch.path().resolve("journal").toString()),
                            List.of(scratch.path().resolve("data").toString()))
                    .withListen(new Endpoint("127.0.0.1", 0))
                    .withSlabs(8 * 1024 * 1024, 3);
            BookieConfig quick = config.withCleanup(config.cleanup()
                    .withTimes(Duration.ofDays(1), Duration.ZERO, Duration.ZERO)
                    .withBytesPerSecondMax(1L << 30));
            new StorageCost(ledgers, entries, bytes, quick, System.out).run();
        }
    }

    private void run() {
        try (MetadataStores stores = MetadataStoresProvider.connect(NAMESPACE, 1_000);
                SystemHost system = SystemHost.start()) {
            CountingHost host = new CountingHost(system, traffic);
            stores.cluster().initialize(new ClusterInfo(new ClusterId(1, 2), 1)).join();
            BookieFormat.format(config, host, stores).join();
            Bookie bookie = Bookie.start(config, host, stores).join();
            long before = traffic.written(DiskTraffic.Kind.JOURNAL);
            List<Long> ids;
            try (LedgerConnection connection = LedgerConnection.open(NAMESPACE)) {
                ids = append(connection.client());
            }
            bookie.close().join();
            reportWrites(before);
            bookie = Bookie.start(config, host, stores).join();
            try (LedgerConnection connection = LedgerConnection.open(NAMESPACE)) {
                readInSequence(connection.client(), ids);
                readAtRandom(connection.client(), ids);
                for (int i = 0; i < ids.size(); i += 2) {
                    connection.client().delete(ids.get(i)).join();
                }
            }
            compact(bookie);
            bookie.close().join();
        }
    }

    private long payload() {
        return (long) ledgers * entriesOfLedger * entryBytes;
    }

    private List<Long> append(LedgerClient client) {
        List<LedgerWriter> writers = new ArrayList<>();
        for (int i = 0; i < ledgers; i++) {
            CreateOptions options = CreateOptions.DEFAULT.withQuorums(new Quorums(1, 1, 1));
            writers.add(client.create(options).join());
        }
        List<CompletableFuture<Long>> window = new ArrayList<>();
        for (int entry = 0; entry < entriesOfLedger; entry++) {
            for (LedgerWriter writer : writers) {
                window.add(writer.append(Unpooled.wrappedBuffer(new byte[entryBytes])));
                if (window.size() == WINDOW) {
                    window.forEach(CompletableFuture::join);
                    window.clear();
                }
            }
        }
        window.forEach(CompletableFuture::join);
        writers.forEach(writer -> writer.close().join());
        return writers.stream().map(LedgerWriter::ledgerId).toList();
    }

    private void reportWrites(long journalBefore) {
        long journal = traffic.written(DiskTraffic.Kind.JOURNAL) - journalBefore;
        long log = traffic.written(DiskTraffic.Kind.ENTRY_LOG);
        long index = traffic.written(DiskTraffic.Kind.INDEX);
        out.printf(
                "%d ledgers, %d entries of %d bytes each: %d bytes of payload%n",
                ledgers, entriesOfLedger, entryBytes, payload());
        report("journal", journal);
        report("entry log", log);
        report("index", index);
        long small = traffic.written(DiskTraffic.Kind.OTHER);
        report("small files", small);
        report("all", journal + log + index + small);
        out.printf("  index: %.1f bytes an entry%n", (double) index / ledgers / entriesOfLedger);
    }

    private void report(String what, long bytes) {
        out.printf("  written to %-11s %12d bytes, %.3f of the payload%n", what, bytes, (double) bytes / payload());
    }

    private void readInSequence(LedgerClient client, List<Long> ids) {
        long before = traffic.read();
        LedgerReader reader = client.open(ids.get(0), OpenOptions.DEFAULT).join();
        long next = 0;
        while (next < entriesOfLedger) {
            try (LedgerEntries entries = reader.read(next, 1_000, 1 << 20).join()) {
                next += entries.list().size();
            }
        }
        reader.close();
        long asked = (long) entriesOfLedger * entryBytes;
        out.printf("  read in sequence: %.3f bytes from disk a byte%n", (double) (traffic.read() - before) / asked);
    }

    private void readAtRandom(LedgerClient client, List<Long> ids) {
        Random random = new Random(1);
        long before = traffic.read();
        for (int i = 0; i < READS; i++) {
            LedgerReader reader = client.open(ids.get(random.nextInt(ids.size())), OpenOptions.DEFAULT)
                    .join();
            reader.read(random.nextInt(entriesOfLedger), 1, 1 << 20).join().close();
            reader.close();
        }
        long asked = (long) READS * entryBytes;
        out.printf("  read at random: %.3f bytes from disk a byte%n", (double) (traffic.read() - before) / asked);
    }

    private void compact(Bookie bookie) {
        long written = traffic.written();
        long read = traffic.read();
        bookie.cleanUp(true).join();
        CleanupReport report = bookie.cleanUp(true).join();
        out.printf(
                "half of the ledgers deleted: %d given up, %d logs replaced, %d bytes copied%n",
                report.ledgersBuried(), report.logsRemoved(), report.bytesCopied());
        out.printf(
                "  compaction wrote %.3f and read %.3f bytes for a byte of payload it freed%n",
                (double) (traffic.written() - written) / (payload() / 2.0),
                (double) (traffic.read() - read) / (payload() / 2.0));
    }
}
