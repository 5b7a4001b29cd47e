// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.model.ClusterId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import io.daybook.stream.Namespace;
import io.daybook.stream.NamespaceProvider;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.StreamEnvironment.ProgramName;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Opens namespaces on the real machine, each with its own loops, links and connection to the metadata store. */
public final class StreamNamespaceProvider implements NamespaceProvider {
    private static final long TIMEOUT_MILLIS = 10_000;

    /** For {@link java.util.ServiceLoader}. */
    public StreamNamespaceProvider() {}

    @Override
    public Namespace open(URI uri, byte[] digestKey) {
        DigestKey key = digestKey.length == 0 ? DigestKey.NONE : DigestKey.of(digestKey);
        return open(uri, SettingsLoader.defaults(LedgerClientConfig.class), key);
    }

    /** As {@link Namespace#open(String)}, with other settings of the client. */
    public static StreamsNamespace open(URI uri, LedgerClientConfig config) {
        return open(uri, config, DigestKey.NONE);
    }

    private static StreamsNamespace open(URI uri, LedgerClientConfig config, DigestKey key) {
        requireCluster(uri);
        MetadataStores stores = connect(uri);
        try {
            return over(stores, config, clusterOf(stores, uri), key);
        } catch (RuntimeException failure) {
            stores.close();
            throw failure;
        }
    }

    /** What is in the memory of one process has no bookies, whose ledgers the streams would be made of. */
    private static void requireCluster(URI uri) {
        if (uri.getScheme() == null || uri.getScheme().equals("memory")) {
            throw new IllegalArgumentException(
                    "'" + uri + "' is not the namespace of a cluster: use zk://host:port/path"
                            + ("memory".equals(uri.getScheme())
                                    ? "; in a test, the address of a LocalCluster or of 'daybook standalone'"
                                    : ""));
        }
    }

    private static MetadataStores connect(URI uri) {
        try {
            return MetadataStoresProvider.connect(uri, TIMEOUT_MILLIS);
        } catch (MetadataException failure) {
            throw new StreamException.Unavailable(String.valueOf(failure.getMessage()), failure);
        }
    }

    /** The store itself bounds how long it tries. */
    private static ClusterId clusterOf(MetadataStores stores, URI uri) {
        try {
            return stores.cluster().read().join().clusterId();
        } catch (CompletionException failure) {
            throw cannotRead(uri, failure.getCause() == null ? failure : failure.getCause());
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

    private static StreamsNamespace over(
            MetadataStores stores, LedgerClientConfig config, ClusterId cluster, DigestKey key) {
        SystemHost host = SystemHost.start();
        try {
            LedgerClient ledgers = DaybookLedgerClient.open(config, host, stores, cluster);
            ProgramName program = new ProgramName(
                    SystemHost.machineName(), ProcessHandle.current().pid(), "");
            return StreamsNamespace.open(
                    new StreamsNamespace.Ledgers(ledgers, key),
                    stores,
                    host,
                    program,
                    () -> release(ledgers, host, stores));
        } catch (RuntimeException failure) {
            host.close();
            throw failure;
        }
    }

    private static void release(LedgerClient ledgers, SystemHost host, MetadataStores stores) {
        CompletableFuture<Void> late = new CompletableFuture<>();
        EventLoop clock = host.newLoop("namespace-closing", Host.LoopKind.STORAGE);
        clock.schedule(TIMEOUT_MILLIS * 1_000_000L, () -> late.complete(null));
        CompletableFuture<Boolean> isShut = ledgers.shutdown().handle((done, failure) -> true);
        CompletableFuture.anyOf(isShut, late).join();
        host.close();
        stores.close();
    }
}
