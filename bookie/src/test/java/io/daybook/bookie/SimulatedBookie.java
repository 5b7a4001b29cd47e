// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.index.IndexConfig;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.CrashMode;
import io.daybook.runtime.simulated.disk.DiskDrive;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One bookie with small slabs on a simulated machine, and a second machine for its clients. */
final class SimulatedBookie {
    static final ClusterId CLUSTER = new ClusterId(0xC1, 0x05);
    static final String JOURNAL = "/journal";
    static final String DATA = "/data";
    static final int SLAB_BYTES = 32 * 1024;

    /** Of every second bookie: a page or two. */
    private static final int INDEX_BYTES = 512;

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    final SimulatedWorld world;
    final SimulatedMachine machine;
    final SimulatedHost clientHost;
    final MemoryMetadata metadata;
    BookieConfig config;

    /** How the bookie sees the metadata of ledgers. */
    UnaryOperator<LedgerMetadataStore> ledgers = UnaryOperator.identity();

    private @Nullable MemoryMetadataStores session;
    private @Nullable Bookie bookie;
    private @Nullable BookieCookie cookie;

    SimulatedBookie(long seed) {
        this(seed, new MemoryMetadata());
        new MemoryMetadataStores(metadata)
                .cluster()
                .initialize(new ClusterInfo(CLUSTER, 1))
                .join();
    }

    private SimulatedBookie(long seed, MemoryMetadata metadata) {
        this.metadata = metadata;
        world = new SimulatedWorld(seed);
        machine = world.machine("bookie-0");
        clientHost = world.machine("client").start();
        config = BookieConfig.embedded("b0", JOURNAL, DATA)
                .withListen(new Endpoint("bookie-0", 3181))
                .withSlabs(SLAB_BYTES, 3)
                .withFlushAge(Duration.ofHours(1))
                .withIndex(new IndexConfig(seed % 2 == 0 ? INDEX_BYTES : 0, seed % 2 == 0 ? 2 : 64));
    }

    /** A bookie that is the same as this one, on disks that the caller fills, in a world of its own. */
    SimulatedBookie twin(long seed) {
        MemoryMetadata other = new MemoryMetadata();
        MemoryMetadataStores stores = new MemoryMetadataStores(other);
        stores.cluster().initialize(new ClusterInfo(CLUSTER, 1)).join();
        stores.bookies().addCookie(cookie()).join();
        SimulatedBookie twin = new SimulatedBookie(seed, other);
        twin.config = config;
        twin.cookie = cookie();
        return twin;
    }

    /** The session of the process that runs now. */
    MemoryMetadataStores stores() {
        if (!machine.isRunning()) {
            machine.start();
        }
        if (session == null) {
            session = new MemoryMetadataStores(metadata);
        }
        return session;
    }

    SimulatedBookie format() {
        MemoryMetadataStores stores = stores();
        cookie = world.await(BookieFormat.format(config, machine.host(), stores), PATIENCE_NANOS);
        return this;
    }

    CompletableFuture<Bookie> tryStart() {
        MemoryMetadataStores stores = stores();
        CompletableFuture<Bookie> starting = Bookie.start(config, machine.host(), seenByBookie(stores));
        world.runUntil(starting::isDone, PATIENCE_NANOS);
        return starting;
    }

    /** The stores with the ledgers as {@link #ledgers} shows them. */
    private MetadataStores seenByBookie(MemoryMetadataStores stores) {
        return (MetadataStores) Proxy.newProxyInstance(
                MetadataStores.class.getClassLoader(),
                new Class<?>[] {MetadataStores.class},
                (proxy, method, arguments) -> method.getName().equals("ledgers")
                        ? ledgers.apply(stores.ledgers())
                        : method.invoke(stores, arguments));
    }

    SimulatedBookie start() {
        bookie = world.await(tryStart(), PATIENCE_NANOS);
        return this;
    }

    /** Ends the process as a crash of the machine does; its session with the metadata ends too. */
    SimulatedBookie crash(CrashMode mode) {
        machine.crash(mode);
        return endSession();
    }

    /** The session of a dead process goes on, as it does until it expires. */
    void forgetSession() {
        session = null;
    }

    SimulatedBookie endSession() {
        if (session != null) {
            session.close();
            session = null;
        }
        return this;
    }

    void close() {
        world.await(bookie().close(), PATIENCE_NANOS);
    }

    Bookie bookie() {
        if (bookie == null) {
            throw new IllegalStateException("not started");
        }
        return bookie;
    }

    BookieCookie cookie() {
        if (cookie == null) {
            throw new IllegalStateException("not formatted");
        }
        return cookie;
    }

    DiskDrive journal() {
        return machine.drive(JOURNAL);
    }

    DiskDrive data() {
        return machine.drive(DATA);
    }

    TestClient connect() {
        return TestClient.connect(clientHost, config.listen(), this::until);
    }

    TestClient client(LinkKind kind) {
        return connect().hello(CLUSTER, cookie().bookieId(), kind);
    }

    void until(java.util.function.BooleanSupplier condition) {
        if (!world.runUntil(condition, PATIENCE_NANOS)) {
            throw new AssertionError(
                    "did not come true; seed " + world.seed() + ", last events:\n" + world.lastEvents());
        }
    }
}
