// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import java.net.URI;

/** A client of the ledgers of a cluster, with the loops and the metadata connection it needs. */
public final class LedgerConnection implements AutoCloseable {
    private static final long CONNECT_MILLIS_MAX = 10_000;

    private final MetadataStores stores;
    private final SystemHost host;
    private final LedgerClient client;

    private LedgerConnection(MetadataStores stores, SystemHost host, LedgerClient client) {
        this.stores = stores;
        this.host = host;
        this.client = client;
    }

    /** Connects, with default settings. */
    public static LedgerConnection open(URI namespace) {
        MetadataStores stores = MetadataStoresProvider.connect(namespace, CONNECT_MILLIS_MAX);
        SystemHost host = SystemHost.start();
        try {
            LedgerClient client = DaybookLedgerClient.open(
                    SettingsLoader.defaults(LedgerClientConfig.class),
                    host,
                    stores,
                    stores.cluster().read().join().clusterId());
            return new LedgerConnection(stores, host, client);
        } catch (RuntimeException failure) {
            host.close();
            stores.close();
            throw failure;
        }
    }

    /** The ledgers. */
    public LedgerClient client() {
        return client;
    }

    @Override
    public void close() {
        client.shutdown().join();
        host.close();
        stores.close();
    }
}
