// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.ledger.LedgerClientConfig;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.stream.core.StreamNamespaceProvider;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import java.net.URI;
import java.util.Optional;

/** The maintainer of streams that runs in a process beside what the process is for. */
public final class Maintenance implements AutoCloseable {
    private final Optional<StreamsNamespace> namespace;

    private Maintenance(Optional<StreamsNamespace> namespace) {
        this.namespace = namespace;
    }

    /** Begins to stand for election, unless the settings say that it must not. Blocks until the metadata store answers. */
    public static Maintenance start(URI uri, MaintenanceConfig config) {
        if (!config.enabled()) {
            return new Maintenance(Optional.empty());
        }
        StreamsNamespace namespace =
                StreamNamespaceProvider.open(uri, SettingsLoader.defaults(LedgerClientConfig.class));
        namespace.maintain(config, report -> {});
        return new Maintenance(Optional.of(namespace));
    }

    /** Gives everything back; blocks for some seconds at most. */
    @Override
    public void close() {
        namespace.ifPresent(StreamsNamespace::close);
    }
}
