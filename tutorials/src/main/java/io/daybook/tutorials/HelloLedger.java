// SPDX-License-Identifier: Apache-2.0
package io.daybook.tutorials;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.Limits;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes a ledger, loses its writer, recovers the ledger and reads every acknowledged entry: what streams are made of. */
public final class HelloLedger {
    private static final int ENTRIES = 10;
    private static final long CONNECT_MILLIS_MAX = 10_000;

    private final PrintStream out;

    HelloLedger(PrintStream out) {
        this.out = out;
    }

    /** Runs against the namespace given as {@code --namespace URI}, or against a cluster that lasts as long as the program. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Cluster cluster = Cluster.of(arguments)) {
            new HelloLedger(out).run(cluster.uri());
        }
    }

    void run(String namespaceUri) {
        // The parts that a namespace of streams puts together by itself: metadata, the machine to run on, the client.
        try (MetadataStores stores = MetadataStoresProvider.connect(URI.create(namespaceUri), CONNECT_MILLIS_MAX);
                SystemHost host = SystemHost.start()) {
            LedgerClient client = DaybookLedgerClient.open(
                    SettingsLoader.defaults(LedgerClientConfig.class),
                    host,
                    stores,
                    stores.cluster().read().join().clusterId());
            LedgerWriter writer = write(client);
            recover(client, writer);
            client.delete(writer.ledgerId()).join();
            client.shutdown().join();
        }
    }

    private LedgerWriter write(LedgerClient client) {
        // Every entry goes to three bookies and is acknowledged when two of them have it on disk.
        LedgerWriter writer = client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(3, 3, 2)))
                .join();
        out.println("ledger " + writer.ledgerId());
        List<CompletableFuture<Long>> outcomes = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            outcomes.add(append(writer, "entry " + i));
        }
        for (CompletableFuture<Long> outcome : outcomes) {
            out.println("wrote " + outcome.join());
        }
        return writer;
    }

    private static CompletableFuture<Long> append(LedgerWriter writer, String text) {
        // append() consumes the buffer, whatever happens.
        return writer.append(ByteBufUtil.writeUtf8(UnpooledByteBufAllocator.DEFAULT, text));
    }

    private void recover(LedgerClient client, LedgerWriter lost) {
        // Nobody closed the ledger. Another process would do just this: fence it, find its end, and read it.
        try (LedgerReader reader =
                client.recover(lost.ledgerId(), OpenOptions.DEFAULT).join()) {
            out.println("recovered up to " + reader.lastAddConfirmed());
            long next = 0;
            while (next <= reader.lastAddConfirmed()) {
                next = printFrom(reader, next);
            }
        }
        // The old writer learns from the first bookie that answers it that its time is over.
        append(lost, "too late").handle((entryId, refused) -> entryId == null).join();
        out.println("the old writer is " + lost.failure().join().code());
    }

    /** Prints some entries and returns the id of the one that follows them. */
    private long printFrom(LedgerReader reader, long first) {
        // Closing the entries gives their memory back.
        try (LedgerEntries entries =
                reader.read(first, ENTRIES, Limits.READ_BYTES_MAX).join()) {
            for (LedgerEntries.Entry entry : entries.list()) {
                out.println("read " + entry.entryId() + " '" + entry.payload().toString(StandardCharsets.UTF_8) + "'");
            }
            return first + entries.list().size();
        }
    }
}
