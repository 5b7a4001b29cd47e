// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import io.daybook.testkit.cluster.LocalCluster;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Each bookie in a process of its own, with default settings but for its slabs; ZooKeeper, which appends do not touch, in this one. */
public final class ProcessCluster implements BenchCluster {
    private final LocalCluster keeper;
    private final List<BookieChild> children = new ArrayList<>();

    private ProcessCluster(LocalCluster keeper) {
        this.keeper = keeper;
    }

    /** Starts it in a temporary directory; throws {@link IllegalStateException} with the reason when a bookie does not start. */
    public static ProcessCluster start(int bookies, int slabBytes) {
        return start(bookies, slabBytes, List.of());
    }

    /** As {@link #start(int, int)}, with settings of the bookies as {@code key=value}. */
    public static ProcessCluster start(int bookies, int slabBytes, List<String> settings) {
        ProcessCluster cluster =
                new ProcessCluster(LocalCluster.builder().bookies(0).start());
        try {
            for (int i = 0; i < bookies; i++) {
                Path directory = cluster.keeper.directory().resolve("process-" + i);
                cluster.children.add(BookieChild.launch(cluster.uri(), directory, slabBytes, settings));
            }
            cluster.children.forEach(BookieChild::awaitReady);
            return cluster;
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
    }

    @Override
    public URI uri() {
        return keeper.uri();
    }

    @Override
    public String description() {
        return children.size() + " bookies in processes of their own, ZooKeeper in the client's";
    }

    @Override
    public List<Long> pids() {
        List<Long> all = new ArrayList<>();
        all.add(ProcessHandle.current().pid());
        children.forEach(child -> all.add(child.pid()));
        return all;
    }

    @Override
    public OptionalLong metadataRequests() {
        return OptionalLong.of(keeper.zooKeeper().requestsReceived());
    }

    @Override
    public Optional<Path> journalDevice() {
        return Optional.of(keeper.directory());
    }

    @Override
    public void close() {
        children.forEach(BookieChild::stop);
        keeper.close();
    }
}
