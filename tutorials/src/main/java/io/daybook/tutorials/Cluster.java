// SPDX-License-Identifier: Apache-2.0
package io.daybook.tutorials;

import io.daybook.testkit.cluster.LocalCluster;
import java.util.Optional;

/**
 * The cluster on which a tutorial runs: a given one, or three bookies and a ZooKeeper in this process that leave nothing behind.
 *
 * @param uri of the namespace
 * @param local what is to be stopped at the end
 */
record Cluster(String uri, Optional<LocalCluster> local) implements AutoCloseable {
    /** Reads {@code --namespace URI}; starts a cluster when it is not given. Throws {@link IllegalArgumentException} for other arguments. */
    static Cluster of(String[] arguments) {
        if (arguments.length == 0) {
            LocalCluster started = LocalCluster.builder().start();
            return new Cluster(started.uri().toString(), Optional.of(started));
        }
        if (arguments.length == 2 && arguments[0].equals("--namespace")) {
            return new Cluster(arguments[1], Optional.empty());
        }
        throw new IllegalArgumentException("give no argument, or --namespace URI");
    }

    @Override
    public void close() {
        local.ifPresent(LocalCluster::close);
    }
}
