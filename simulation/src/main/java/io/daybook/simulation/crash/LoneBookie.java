// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.cleanup.CleanupConfig;
import io.daybook.bookie.index.IndexConfig;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.Limits;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.runtime.simulated.SimulatedMachine;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.disk.DiskDrive;
import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.DiskQuality;
import io.daybook.runtime.simulated.network.LinkQuality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One real bookie with tiny slabs in a world of its own, its metadata, and one client whose messages take no time. */
final class LoneBookie {
    private static final ClusterId CLUSTER = new ClusterId(0xC4A5, 0x4);
    private static final String MACHINE = "bookie";
    private static final String JOURNAL = "journal";
    private static final String DATA = "data";
    private static final int DATA_MAX = 3;
    private static final int JOURNAL_MAX = 3;
    private static final Endpoint ENDPOINT = new Endpoint(MACHINE, 3181);
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    /** Of which no more than a page or two fit. */
    private static final int INDEX_BYTES = 512;

    private static final int MERGED_LOGS = 2;
    private static final int SECTOR_BYTES = 512;
    private static final int PAGE = 1000;

    private final long seed;
    private final List<String> defects;
    private final SimulatedWorld world;
    private final SimulatedMachine machine;
    private final MemoryMetadata metadata = new MemoryMetadata();
    private final BookieConfig config;
    private final Told told;
    private @Nullable MemoryMetadataStores session;
    private @Nullable Bookie bookie;
    private @Nullable LoneClient client;
    private @Nullable BookieCookie cookie;
    private long tokens;

    /** On empty disks, in a cluster that knows no bookie; the defects are planted in it. */
    LoneBookie(long seed, List<String> defects) {
        this(seed, defects, new Told());
    }

    private LoneBookie(long seed, List<String> defects, Told told) {
        this.seed = seed;
        this.defects = List.copyOf(defects);
        this.told = told;
        world = new SimulatedWorld(seed);
        defects.forEach(world.faults()::plant);
        world.network().quality(new LinkQuality(1, 0, 0));
        machine = world.machine(MACHINE);
        config = BookieConfig.embedded(MACHINE, JOURNAL, DATA)
                .withDirectories(journalsOf(seed), dataOf(seed))
                .withListen(ENDPOINT)
                .withAdvertisedHost(MACHINE)
                .withSlabs(8 * 1024, 3)
                .withCommitBytesMax(4 * 1024)
                .withFlushAge(Duration.ofSeconds(1))
                .withIndex(new IndexConfig(INDEX_BYTES, MERGED_LOGS))
                .withCleanup(CleanupConfig.defaults()
                        .withTimes(Duration.ofDays(300), Duration.ZERO, Duration.ZERO)
                        .withShares(30, 80, Duration.ofDays(300)));
        for (DiskDrive drive : drives()) {
            drive.quality(DiskQuality.SOLID_STATE.withBlock(SECTOR_BYTES));
        }
        stores().cluster().initialize(new ClusterInfo(CLUSTER, 0)).join();
    }

    /** This bookie after a crash that left these disks: known to its cluster as it was, with so much told by it. */
    LoneBookie after(Disks disks, Metadata known, Told before) {
        LoneBookie next = new LoneBookie(seed, defects, before.copy());
        List<DiskDrive> drives = next.drives();
        for (int i = 0; i < drives.size(); i++) {
            drives.get(i).replace(disks.images().get(i));
        }
        known.cookie.ifPresent(stored -> {
            next.stores().bookies().addCookie(stored).join();
            next.cookie = stored;
        });
        known.ledgers.forEach(ledger -> next.stores().ledgers().create(ledger).join());
        return next;
    }

    /** One data directory with seed 1, two with seed 2, three with seed 3, and so on in turn. */
    private static List<String> dataOf(long seed) {
        return directories(DATA, 1 + Math.floorMod(seed - 1, DATA_MAX));
    }

    /** One journal with seeds 1 to 3, two with 4 to 6, three with 7 to 9, and so on in turn. */
    private static List<String> journalsOf(long seed) {
        return directories(JOURNAL, 1 + (int) Math.floorMod(Math.floorDiv(seed - 1, DATA_MAX), (long) JOURNAL_MAX));
    }

    private static List<String> directories(String first, int count) {
        List<String> directories = new ArrayList<>(List.of(first));
        for (int i = 1; i < count; i++) {
            directories.add(first + '-' + i);
        }
        return directories;
    }

    /** What is found after a crash, in the order of {@link #drives}. */
    record Disks(List<DiskImage> images) {
        Disks {
            images = List.copyOf(images);
        }
    }

    /** What the metadata store holds, which no crash of a bookie changes. */
    record Metadata(Optional<BookieCookie> cookie, List<LedgerMetadata> ledgers) {
        Metadata {
            ledgers = List.copyOf(ledgers);
        }
    }

    SimulatedWorld world() {
        return world;
    }

    /** Its disks: those of its journals, then those of its data. */
    List<DiskDrive> drives() {
        List<DiskDrive> drives = new ArrayList<>();
        config.journalDirectories().forEach(directory -> drives.add(machine.drive(directory)));
        drives.addAll(dataDrives());
        return drives;
    }

    /** The disks of its data. */
    List<DiskDrive> dataDrives() {
        return config.dataDirectories().stream().map(machine::drive).toList();
    }

    /** What a person calls a disk of {@link #drives}. */
    String nameOf(int drive) {
        int journals = config.journalDirectories().size();
        return drive < journals ? "journal disk " + drive : "data disk " + (drive - journals);
    }

    /** What its client was told. */
    Told told() {
        return told;
    }

    LoneClient client() {
        return Objects.requireNonNull(client);
    }

    /** The metadata as it is now. */
    Metadata metadata() {
        List<BookieCookie> cookies = stores().bookies().cookies().join();
        List<LedgerMetadata> ledgers = stores().ledgers().list(-1, PAGE).join().items().stream()
                .map(id -> stores().ledgers().read(id).join().value())
                .toList();
        return new Metadata(cookies.stream().findFirst(), ledgers);
    }

    private MemoryMetadataStores stores() {
        if (session == null) {
            session = new MemoryMetadataStores(metadata);
        }
        return session;
    }

    private SimulatedHost host() {
        return machine.isRunning() ? machine.host() : machine.start();
    }

    /** Makes it a bookie of the cluster; fails as {@link BookieFormat} does. */
    void format() {
        cookie = join(BookieFormat.format(config, host(), stores()));
    }

    /** Starts it and connects the client; fails as {@link Bookie#start} does. */
    void start() {
        bookie = join(Bookie.start(config, host(), stores()));
        SimulatedHost clientHost = world.machine("client").isRunning()
                ? world.machine("client").host()
                : world.machine("client").start();
        var loop = clientHost.newLoop("client", LoopKind.NETWORK);
        LoneClient next =
                new LoneClient(loop, CLUSTER, Objects.requireNonNull(cookie).bookieId(), told);
        client = next;
        loop.execute(() -> clientHost.network().connect(loop, ENDPOINT, PATIENCE_NANOS, next));
        until(next::isReady, "the bookie does not greet");
    }

    /** Stops it as its supervisor does. */
    void close() {
        join(Objects.requireNonNull(bookie).close());
    }

    /** A round of cleanup, of the major kind or not. */
    void cleanUp(boolean major) {
        join(Objects.requireNonNull(bookie).cleanUp(major));
    }

    void createLedger(long ledgerId) {
        LedgerMetadata ledger = new LedgerMetadata(
                ledgerId,
                new Quorums(1, 1, 1),
                DigestType.CRC32C,
                LedgerState.OPEN,
                Limits.NO_ENTRY_ID,
                0,
                List.of(new Fragment(0, List.of(Objects.requireNonNull(cookie).bookieId()))),
                Map.of(),
                1,
                new WriteToken(1, ++tokens));
        stores().ledgers().create(ledger).join();
    }

    void deleteLedger(long ledgerId) {
        stores().ledgers().delete(ledgerId).join();
    }

    void until(BooleanSupplier condition, String otherwise) {
        if (!world.runUntil(() -> condition.getAsBoolean() || !machine.isRunning(), PATIENCE_NANOS)
                || !condition.getAsBoolean()) {
            throw new IllegalStateException(otherwise + "; the process " + ending());
        }
    }

    private <T> T join(CompletableFuture<T> future) {
        until(future::isDone, "a call does not end");
        return future.join();
    }

    private String ending() {
        return machine.isRunning() ? "runs" : "ended: " + machine.lastHalt();
    }
}
