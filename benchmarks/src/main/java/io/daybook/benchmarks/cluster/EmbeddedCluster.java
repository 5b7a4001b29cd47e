// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import io.daybook.testkit.cluster.LocalCluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Bookies and ZooKeeper in this process, beside the client, talking over the loopback address. */
public final class EmbeddedCluster implements BenchCluster {
    private final LocalCluster cluster;
    private final int bookies;

    private EmbeddedCluster(LocalCluster cluster, int bookies) {
        this.cluster = cluster;
        this.bookies = bookies;
    }

    /** Starts it in a temporary directory. */
    public static EmbeddedCluster start(int bookies) {
        return new EmbeddedCluster(LocalCluster.builder().bookies(bookies).start(), bookies);
    }

    @Override
    public URI uri() {
        return cluster.uri();
    }

    @Override
    public String description() {
        return bookies + " bookies, ZooKeeper and the client in one process, small slabs";
    }

    @Override
    public List<Long> pids() {
        return List.of(ProcessHandle.current().pid());
    }

    @Override
    public OptionalLong metadataRequests() {
        return OptionalLong.of(cluster.zooKeeper().requestsReceived());
    }

    @Override
    public Optional<Path> journalDevice() {
        return Optional.of(cluster.directory());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
