// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Real bookies and ledger clients on a simulated network, with metadata in memory. */
final class SimulatedCluster {
    static final long SECOND = 1_000_000_000L;

    static {
        // A process that crashes takes its memory with it, which the detector would call leaks. LedgerLeakTest looks
        // for real ones.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    private static final ClusterId CLUSTER = new ClusterId(7, 7);

    final SimulatedWorld world;
    final MemoryMetadata metadata = new MemoryMetadata();
    private final Map<String, MemoryMetadataStores> sessions = new TreeMap<>();
    private final Map<String, LedgerClient> clients = new TreeMap<>();
    private static final String DATA = "data";
    private static final int SLAB_BYTES = 64 * 1024;
    private static final int SLABS = 3;

    private final List<BookieId> ids = new ArrayList<>();
    private final UnaryOperator<BookieConfig> change;
    private final List<String> racks = new ArrayList<>();

    SimulatedCluster(long seed, int bookies) {
        this(seed, bookies, SLAB_BYTES);
    }

    /** The bookies take entries that fit into a slab. */
    SimulatedCluster(long seed, int bookies, int slabBytes) {
        this(seed, bookies, config -> config.withSlabs(slabBytes, SLABS));
    }

    /** The bookies are configured otherwise than usually. */
    SimulatedCluster(long seed, int bookies, UnaryOperator<BookieConfig> change) {
        this(seed, Collections.nCopies(bookies, ""), change);
    }

    /** A bookie for each label. */
    SimulatedCluster(long seed, List<String> racks) {
        this(seed, racks, config -> config);
    }

    private SimulatedCluster(long seed, List<String> racks, UnaryOperator<BookieConfig> change) {
        this.change = change;
        this.racks.addAll(racks);
        world = new SimulatedWorld(seed);
        await(session("operator").cluster().initialize(new ClusterInfo(CLUSTER, 0)));
        for (int i = 0; i < racks.size(); i++) {
            SimulatedHost host = world.machine(bookieName(i)).start();
            ids.add(await(BookieFormat.format(config(i), host, session(bookieName(i))))
                    .bookieId());
            await(Bookie.start(config(i), host, session(bookieName(i))));
        }
    }

    /** A client on a machine of that name. */
    LedgerClient client(String name) {
        return client(name, settings(), session(name).ledgers());
    }

    /** A client that sees ledgers through {@code ledgers}. */
    LedgerClient client(String name, LedgerClientConfig config, LedgerMetadataStore ledgers) {
        return client(
                name,
                config,
                new StoresWithLedgers(session(name), ledgers, session(name).bookies()));
    }

    /** A client that learns of the live bookies late. */
    LedgerClient lateClient(String name, long delayNanos) {
        return clientWith(name, new LateRegistry(world, session(name).bookies(), delayNanos));
    }

    /** A client that sees the live bookies through {@code registry}. */
    LedgerClient clientWith(String name, BookieRegistry registry) {
        return client(
                name,
                settings(),
                new StoresWithLedgers(session(name), session(name).ledgers(), registry));
    }

    private LedgerClient client(String name, LedgerClientConfig config, MetadataStores stores) {
        SimulatedHost host = world.machine(name).start();
        LedgerClient client = DaybookLedgerClient.open(config, host, stores, CLUSTER);
        clients.put(name, client);
        return client;
    }

    static LedgerClientConfig settings() {
        return settings(Map.of());
    }

    static LedgerClientConfig settings(Duration publishDelay) {
        return settings(Map.of("ledger.publish-delay", publishDelay.toNanos() / 1000 + "us"));
    }

    /** Short time-outs, and the given settings. */
    static LedgerClientConfig settings(Map<String, String> settings) {
        Map<String, String> all = new TreeMap<>(Map.of(
                "ledger.connect-timeout", "500ms",
                "ledger.add-timeout", "5s",
                "ledger.read-timeout", "1s",
                "ledger.silence-timeout", "500ms"));
        all.putAll(settings);
        return SettingsLoader.with(LedgerClientConfig.class, all);
    }

    /** Ends all clients and lets go of what they hold. */
    void shutDownClients() {
        clients.values().forEach(client -> await(client.shutdown()));
        clients.clear();
    }

    /** Ends a process as a loss of power does. */
    void crash(String name) {
        machine(name).crash();
        endSession(name);
    }

    void crashBookie(int i) {
        crash(bookieName(i));
    }

    /** What the bookie has on the disk of its entries. */
    DiskDrive data(int i) {
        return machine(bookieName(i)).drive(DATA);
    }

    /** What the bookie has on the disk of its journal. */
    DiskDrive journal(int i) {
        return machine(bookieName(i)).drive("journal");
    }

    void crashBookie(BookieId id) {
        crashBookie(ids.indexOf(id));
    }

    void restartBookie(int i) {
        await(Bookie.start(config(i), machine(bookieName(i)).start(), session(bookieName(i))));
    }

    /** Starts the bookie anew with another label. */
    void relabel(int i, String rack) {
        crashBookie(i);
        racks.set(i, rack);
        restartBookie(i);
    }

    /** The label with which the bookie was started. */
    String rackOf(BookieId id) {
        return racks.get(ids.indexOf(id));
    }

    SimulatedMachine machine(String name) {
        return world.machine(name);
    }

    static String bookieName(int i) {
        return "bookie-" + i;
    }

    BookieId idOf(int i) {
        return ids.get(i);
    }

    String nameOf(BookieId id) {
        return bookieName(ids.indexOf(id));
    }

    int numberOf(BookieId id) {
        return ids.indexOf(id);
    }

    <T> T await(CompletableFuture<T> future) {
        return world.await(future, 60 * SECOND);
    }

    /** The metadata session of a process: made anew after it was ended. */
    MemoryMetadataStores session(String name) {
        return sessions.computeIfAbsent(name, each -> new MemoryMetadataStores(metadata));
    }

    void endSession(String name) {
        MemoryMetadataStores ended = sessions.remove(name);
        if (ended != null) {
            ended.close();
        }
    }

    private BookieConfig config(int i) {
        BookieConfig usual = BookieConfig.embedded(bookieName(i), "journal", DATA)
                .withListen(new Endpoint(bookieName(i), 3181))
                .withAdvertisedHost(bookieName(i))
                .withRack(racks.get(i))
                .withSlabs(SLAB_BYTES, SLABS)
                .withFlushAge(Duration.ofSeconds(2))
                .withCommitBytesMax(16 * 1024);
        return change.apply(usual);
    }
}
