// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;

/** A connection to the ledgers of a cluster, with the loops it needs. */
public final class LedgerSession implements AutoCloseable {
    private final MetadataStores stores;
    private final SystemHost host;
    private final LedgerClient client;

    private LedgerSession(MetadataStores stores, SystemHost host, LedgerClient client) {
        this.stores = stores;
        this.host = host;
        this.client = client;
    }

    /** Connects to the cluster that the command line names. */
    public static LedgerSession open(Invocation invocation) {
        MetadataStores stores = invocation.openStores();
        try {
            ClusterInfo cluster =
                    ClusterIdentity.read(stores, invocation.options().namespace());
            SystemHost host = SystemHost.start();
            LedgerClient client = DaybookLedgerClient.open(
                    SettingsLoader.defaults(LedgerClientConfig.class), host, stores, cluster.clusterId());
            return new LedgerSession(stores, host, client);
        } catch (RuntimeException failure) {
            stores.close();
            throw failure;
        }
    }

    /** The metadata. */
    public MetadataStores stores() {
        return stores;
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
