// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * A real cluster in this process: a durable ZooKeeper server and bookies with their journals on disk, all listening on the loopback address. Kept in a
 * directory it lasts over restarts; without one it is temporary and leaves nothing behind.
 *
 * <p><i>Threading:</i> any thread; calls wait until what they ask for is done.
 */
public final class LocalCluster implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    private static final String BOOKIE = "bookie-";

    private final ClusterDirectory directory;
    private final EmbeddedZooKeeper zooKeeper;
    private final int bookiePort;
    private final Consumer<LocalBookie> onDeath;
    private final URI uri;
    private final MetadataStores stores;
    private final List<LocalBookie> bookies = new ArrayList<>();
    private boolean closed;

    private LocalCluster(Builder options, ClusterDirectory directory, EmbeddedZooKeeper zooKeeper) {
        this.directory = directory;
        this.zooKeeper = zooKeeper;
        bookiePort = options.bookiePort;
        onDeath = options.onDeath;
        uri = URI.create("zk://" + zooKeeper.address() + "/daybook");
        stores = MetadataStoresProvider.connect(uri, LocalBookie.CONNECT_MILLIS_MAX);
    }

    /** Options: three bookies, temporary, free ports. */
    public static Builder builder() {
        return new Builder();
    }

    private void start(int count) {
        initialize();
        int wanted = Math.max(count, directory.numberedChildren(BOOKIE));
        for (int i = 0; i < wanted; i++) {
            bookies.add(newBookie(i));
        }
        AllAtOnce.run(bookies, LocalBookie::restart);
    }

    private void initialize() {
        SecureRandom random = new SecureRandom();
        ClusterInfo fresh =
                new ClusterInfo(new ClusterId(random.nextLong(), random.nextLong()), System.currentTimeMillis());
        try {
            stores.cluster().initialize(fresh).join();
        } catch (CompletionException failure) {
            if (!(failure.getCause() instanceof MetadataException refused)
                    || refused.code() != MetadataException.Code.ALREADY_EXISTS) {
                throw new LocalClusterException("the cluster cannot be initialised: " + failure.getMessage(), failure);
            }
        }
    }

    private LocalBookie newBookie(int index) {
        int port = bookiePort == 0 ? 0 : bookiePort + index;
        return new LocalBookie(directory.path().resolve(BOOKIE + (index + 1)), port, uri, onDeath);
    }

    /** The namespace, for {@code Namespace.open} and the command line: {@code zk://127.0.0.1:port/daybook}. */
    public URI uri() {
        return uri;
    }

    /** A connection to the metadata, open as long as the cluster. */
    public MetadataStores metadataStores() {
        return stores;
    }

    /** The ZooKeeper server. */
    public EmbeddedZooKeeper zooKeeper() {
        return zooKeeper;
    }

    /** Where everything is kept. */
    public Path directory() {
        return directory.path();
    }

    /** All bookies that were ever started here, in order. */
    public synchronized List<LocalBookie> bookies() {
        return Collections.unmodifiableList(new ArrayList<>(bookies));
    }

    /** The bookie of that index, from 0. */
    public synchronized LocalBookie bookie(int index) {
        return bookies.get(index);
    }

    /** Formats and starts one more bookie. */
    public synchronized LocalBookie addBookie() {
        LocalBookie bookie = newBookie(bookies.size());
        bookies.add(bookie);
        bookie.restart();
        return bookie;
    }

    /** Stops everything in order, bookies first; removes a temporary directory. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            AllAtOnce.run(bookies, LocalBookie::stop);
        } finally {
            stores.close();
            zooKeeper.close();
            directory.close();
        }
    }

    /** How a cluster is made. */
    public static final class Builder {
        private int count = 3;
        private Optional<Path> directory = Optional.empty();
        private int zooKeeperPort;
        private int bookiePort;
        private Consumer<LocalBookie> onDeath = bookie -> {};

        private Builder() {}

        /** At least so many bookies: a directory that holds more starts them all. */
        public Builder bookies(int atLeast) {
            if (atLeast < 0) {
                throw new IllegalArgumentException("a cluster has no negative number of bookies");
            }
            count = atLeast;
            return this;
        }

        /** Keeps everything here, beyond {@link LocalCluster#close}. */
        public Builder directory(Path kept) {
            directory = Optional.of(kept);
            return this;
        }

        /** The port of ZooKeeper; 0 for any free one. */
        public Builder zooKeeperPort(int port) {
            zooKeeperPort = port;
            return this;
        }

        /** The port of the first bookie, the others follow; 0 for free ones. */
        public Builder bookiePort(int first) {
            bookiePort = first;
            return this;
        }

        /** Told when a bookie ends by itself, as after a failed write; this process goes on. Called on a thread of the bookie. */
        public Builder onDeath(Consumer<LocalBookie> listener) {
            onDeath = listener;
            return this;
        }

        /**
         * Starts the cluster, making whatever does not exist yet.
         *
         * @throws LocalClusterException when the directory is in use, a port is taken, or a bookie refuses its directories
         */
        public LocalCluster start() {
            ClusterDirectory opened = ClusterDirectory.open(directory);
            EmbeddedZooKeeper zooKeeper;
            try {
                zooKeeper = EmbeddedZooKeeper.start(opened.path().resolve("zookeeper"), HOST, zooKeeperPort);
            } catch (RuntimeException | Error failure) {
                opened.close();
                throw failure;
            }
            return start(opened, zooKeeper);
        }

        private LocalCluster start(ClusterDirectory opened, EmbeddedZooKeeper zooKeeper) {
            LocalCluster cluster;
            try {
                cluster = new LocalCluster(this, opened, zooKeeper);
            } catch (RuntimeException | Error failure) {
                zooKeeper.close();
                opened.close();
                throw failure;
            }
            try {
                cluster.start(count);
                return cluster;
            } catch (RuntimeException | Error failure) {
                cluster.close();
                throw failure;
            }
        }
    }
}
