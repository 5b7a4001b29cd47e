// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.process;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.StoresWithLedgers;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.runtime.system.SystemHost;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process that appends entries of 64 KiB to one ledger as fast as there is room, and prints what came of it: arguments namespace, port of a
 * bookie, port to use instead of it, mebibytes.
 */
final class FlatOutWriter {
    static final int ENTRY_BYTES = 64 * 1024;
    private static final long CONNECT_MILLIS_MAX = 10_000;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong slowestNanos = new AtomicLong();
    private long heldMax;

    private FlatOutWriter() {}

    public static void main(String[] arguments) {
        URI namespace = URI.create(arguments[0]);
        try (MetadataStores stores = MetadataStoresProvider.connect(namespace, CONNECT_MILLIS_MAX);
                SystemHost host = SystemHost.start()) {
            RedirectedRegistry registry = new RedirectedRegistry(
                    stores.bookies(), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            LedgerClient client = DaybookLedgerClient.open(
                    LedgerClientConfig.defaults(),
                    host,
                    new StoresWithLedgers(stores, stores.ledgers(), registry),
                    stores.cluster().read().join().clusterId());
            new FlatOutWriter().run(client, Long.parseLong(arguments[3]));
            client.shutdown().join();
        }
    }

    private void run(LedgerClient client, long mebibytes) {
        LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();
        ByteBuf payload = Unpooled.directBuffer(ENTRY_BYTES).writeZero(ENTRY_BYTES);
        long count = mebibytes * 1024 * 1024 / ENTRY_BYTES;
        for (long i = 0; i < count && failed.get() == 0; i++) {
            writer.ready().join();
            append(writer, payload.retainedDuplicate());
            heldMax = Math.max(heldMax, client.heldBytes());
        }
        long last = writer.close().join();
        System.out.println("acknowledged=" + acknowledged + " last=" + last + " failed=" + failed + " heldMax="
                + heldMax + " slowestMillis=" + slowestNanos.get() / 1_000_000);
    }

    private void append(LedgerWriter writer, ByteBuf payload) {
        long start = System.nanoTime();
        writer.append(payload, new AppendListener() {
            @Override
            public void appended(long entryId) {
                acknowledged.incrementAndGet();
                slowestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
            }

            @Override
            public void failed(LedgerException failure) {
                failed.incrementAndGet();
            }
        });
    }
}
