// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.model.ClusterId;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.daybook.stream.Namespace;
import io.daybook.stream.NamespaceProvider;
import io.daybook.stream.StreamException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens namespaces on the real machine, each with its own loops, links and connection to the metadata store. */
public final class StreamNamespaceProvider implements NamespaceProvider {
    private static final long TIMEOUT_MILLIS = 10_000;

    /** For {@link java.util.ServiceLoader}. */
    public StreamNamespaceProvider() {}

    @Override
    public Namespace open(URI uri) {
        return open(uri, SettingsLoader.defaults(LedgerClientConfig.class));
    }

    /** As {@link #open(URI)}, with other settings of the client. */
    public static StreamsNamespace open(URI uri, LedgerClientConfig config) {
        MetadataStores stores = connect(uri);
        try {
            return over(stores, config, clusterOf(stores, uri));
        } catch (RuntimeException failure) {
            stores.close();
            throw failure;
        }
    }

    private static MetadataStores connect(URI uri) {
        try {
            return MetadataStoresProvider.connect(uri, TIMEOUT_MILLIS);
        } catch (MetadataException failure) {
            throw new StreamException.Unavailable(String.valueOf(failure.getMessage()), failure);
        }
    }

    private static ClusterId clusterOf(MetadataStores stores, URI uri) {
        try {
            return stores.cluster()
                    .read()
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .clusterId();
        } catch (ExecutionException failure) {
            throw cannotRead(uri, failure.getCause() == null ? failure : failure.getCause());
        } catch (TimeoutException late) {
            throw new StreamException.Unavailable(
                    "the metadata store at " + uri + " did not answer within " + TIMEOUT_MILLIS / 1000 + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StreamException.Unavailable("the thread was interrupted while it opened " + uri, interrupted);
        }
    }

    private static StreamException cannotRead(URI uri, Throwable failure) {
        if (failure instanceof MetadataException refused && refused.code() == MetadataException.Code.NOT_FOUND) {
            return new StreamException.Unavailable(
                    "no cluster was initialised at " + uri + ": run 'daybook cluster init --namespace " + uri + "'",
                    failure);
        }
        return new StreamException.Unavailable(String.valueOf(failure.getMessage()), failure);
    }

    private static StreamsNamespace over(MetadataStores stores, LedgerClientConfig config, ClusterId cluster) {
        SystemHost host = SystemHost.start();
        try {
            LedgerClient ledgers = DaybookLedgerClient.open(config, host, stores, cluster);
            String label = "process " + ProcessHandle.current().pid();
            return StreamsNamespace.open(ledgers, stores, host, label, () -> release(ledgers, host, stores));
        } catch (RuntimeException failure) {
            host.close();
            throw failure;
        }
    }

    private static void release(LedgerClient ledgers, SystemHost host, MetadataStores stores) {
        CompletableFuture<Boolean> isShut = ledgers.shutdown().handle((done, failure) -> true);
        try {
            isShut.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            // What is left ends with the loops of the host.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            host.close();
            stores.close();
        }
    }
}
