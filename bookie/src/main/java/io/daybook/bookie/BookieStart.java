// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.Space;
import io.daybook.bookie.disk.Tenure;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.journal.JournalDamagedException;
import io.daybook.bookie.journal.JournalSegment;
import io.daybook.bookie.journal.JournalSetup;
import io.daybook.bookie.server.Presence;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import io.daybook.runtime.RandomSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a bookie, step by step; a failed step gives everything back.
 *
 * <p><i>States:</i> locking directories → checking identity against cluster and metadata → recovering → listening → registering → done.
 *
 * <p><i>Threading:</i> the storage loop up to recovering, then the core loop.
 */
final class BookieStart {
    private static final Logger LOG = LoggerFactory.getLogger(BookieStart.class);

    private final BookieConfig config;
    private final OwnHost host;
    private final MetadataStores stores;
    private final Storage.Loops loops;
    private final boolean serves;
    private final CompletableFuture<Bookie> result = new CompletableFuture<>();
    private @Nullable Directories directories;

    /** Closes what is open and nobody else's yet. */
    private final List<Runnable> closing = new ArrayList<>();

    private BookieStart(BookieConfig config, OwnHost host, MetadataStores stores, boolean serves) {
        this.config = config;
        this.host = host;
        this.stores = stores;
        this.serves = serves;
        this.loops = new Storage.Loops(
                host.newLoop("bookie-core-0", Host.LoopKind.NETWORK),
                host.newLoop("bookie-storage-0", Host.LoopKind.STORAGE),
                host.newLoop("bookie-read-0", Host.LoopKind.STORAGE));
    }

    static CompletableFuture<Bookie> start(BookieConfig config, Host host, MetadataStores stores) {
        return begin(new OwnHost(host), own -> new BookieStart(config, own, stores, true));
    }

    /** Up to recovering, and no further: nobody can reach the bookie. */
    static CompletableFuture<Bookie> open(BookieConfig config, Host host, MetadataStores stores) {
        return begin(new OwnHost(host), own -> new BookieStart(config, own, stores, false));
    }

    private static CompletableFuture<Bookie> begin(OwnHost host, Function<OwnHost, BookieStart> making) {
        try {
            BookieStart start = making.apply(host);
            start.loops.storage().execute(() -> start.step(start::lockDirectories));
            return start.result;
        } catch (RuntimeException | VirtualMachineError | LinkageError thrown) {
            host.closeLoops();
            return CompletableFuture.failedFuture(failureOf(thrown));
        }
    }

    /** Runs one step; what it throws ends the start. */
    private void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | VirtualMachineError | LinkageError thrown) {
            fail(failureOf(thrown));
        }
    }

    /** How the start fails with what a step threw. */
    private static BookieStartException failureOf(Throwable thrown) {
        if (thrown instanceof JournalDamagedException damaged) {
            return new BookieStartException(
                    ExitCode.JOURNAL_DAMAGED,
                    damaged.getMessage()
                            + (damaged.isAcceptable()
                                    ? ": restore the file from a copy, or run 'bookie accept-damage' and start again without what is lost"
                                    : ": start that version"),
                    damaged);
        }
        return BookieStartException.of("start", thrown);
    }

    /** What cannot be given back does not keep the rest, nor the answer. */
    private void fail(BookieStartException failure) {
        try {
            closing.forEach(BookieStart::close);
            if (directories != null) {
                directories.close();
            }
        } finally {
            result.completeExceptionally(failure);
            host.closeLoops();
        }
    }

    private static void close(Runnable open) {
        try {
            open.run();
        } catch (RuntimeException unclean) {
            LOG.warn("state=NOT_CLOSED {}", unclean.toString());
        }
    }

    /** The host, whose loops the start owns until there is a bookie that does. */
    private static final class OwnHost implements Host.Forwarding {
        private final Host host;
        private final Queue<EventLoop> made = new ConcurrentLinkedQueue<>();

        private OwnHost(Host host) {
            this.host = host;
        }

        @Override
        public Host host() {
            return host;
        }

        @Override
        public EventLoop newLoop(String name, LoopKind kind) {
            EventLoop loop = host.newLoop(name, kind);
            made.add(loop);
            return loop;
        }

        /** One that cannot be closed keeps no other. */
        private void closeLoops() {
            for (EventLoop loop : made) {
                try {
                    loop.close();
                } catch (RuntimeException | VirtualMachineError unclean) {
                    LOG.warn("loop={} state=NOT_CLOSED {}", loop.name(), unclean.toString());
                }
            }
        }
    }

    // ---- on the storage loop ----

    private void lockDirectories() {
        Directories opened = Directories.open(config, host, false);
        directories = opened;
        BookieCookie cookie = Identity.agreed(opened);
        opened.journals().forEach(directory -> requireSlabsFit(directory.disk().blockBytes()));
        askMetadata(cookie, opened);
    }

    private void requireSlabsFit(int blockBytes) {
        if (config.slabBytes() % blockBytes != 0 || config.slabBytes() < 4 * blockBytes) {
            throw new BookieStartException(
                    ExitCode.SETTINGS,
                    "bookie.slab-bytes is " + config.slabBytes() + " but must be a multiple of the device's block of "
                            + blockBytes + " bytes and at least four of them");
        }
    }

    private void askMetadata(BookieCookie cookie, Directories opened) {
        EventLoop storage = loops.storage();
        storage.resume(
                stores.cluster().read(),
                (cluster, failure) -> step(() -> {
                    if (cluster == null) {
                        throw BookieFormat.MetadataFailures.of("read the cluster", failure);
                    }
                    storage.resume(
                            stores.bookies().cookie(cookie.bookieId()),
                            (stored, missing) -> step(() -> {
                                if (stored == null && !BookieFormat.MetadataFailures.isNotFound(missing)) {
                                    throw BookieFormat.MetadataFailures.of(
                                            "read the cookie of bookie " + cookie.bookieId(), missing);
                                }
                                Identity.check(cookie, cluster.clusterId(), stored);
                                recover(cookie, opened);
                            }));
                }));
    }

    /**
     * Notes a token of this process for the next one, before it is used. Without a note the next start waits for the end of this one's session, so a
     * file that cannot be written is no reason not to start.
     */
    private BookieRegistry.Tokens tokens(BookieCookie cookie, Directories opened) {
        EventLoop storage = loops.storage();
        // No two processes draw the same one, nor two starts in one process, nor two copies of one bookie.
        RandomSource random = host.random()
                .fork("registration " + cookie.bookieId() + ' ' + config.dataDirectories() + ' ' + storage.nanoTime()
                        + ' ' + storage.wallMillis());
        WriteToken own = new WriteToken(random.nextLong(), random.nextLong());
        Tenure before = new Tenure("", List.of());
        try {
            before = Tenure.read(opened.data().first(), opened.place());
            before.with(own).write(opened.data().first());
        } catch (DiskException failure) {
            LOG.warn(
                    "bookie={} file={} state=NOT_NOTED a start after a crash will take a while: {}",
                    cookie.bookieId(),
                    Tenure.NAME,
                    failure.getMessage());
        }
        return new BookieRegistry.Tokens(own, before.tokens());
    }

    private void recover(BookieCookie cookie, Directories opened) {
        SlabMemory memory = new SlabMemory(config, opened);
        CompletableFuture<List<List<Slab>>> slabs = memory.beside(loops.read());
        Recovery.Recovered recovered;
        try {
            recovered = recovered(cookie, opened);
        } catch (OutOfMemoryError none) {
            memory.letGo();
            LOG.debug("bookie={} state=NO_MEMORY the start is made again without slabs", cookie.bookieId());
            // In a task of its own: the one that is told of the slabs holds them.
            loops.storage()
                    .resume(
                            slabs,
                            (allocated, failure) -> loops.storage()
                                    .execute(() -> step(() -> {
                                        Recovery.Recovered again = recovered(cookie, opened);
                                        open(cookie, opened, again, memory.now());
                                    })));
            return;
        }
        loops.storage()
                .resume(
                        slabs,
                        (allocated, failure) -> step(() -> {
                            if (allocated == null) {
                                throw new IllegalStateException("no slabs", failure);
                            }
                            open(cookie, opened, recovered, allocated.isEmpty() ? memory.now() : allocated);
                        }));
    }

    private Recovery.Recovered recovered(BookieCookie cookie, Directories opened) {
        Recovery.Recovered recovered = Recovery.run(opened, cookie.bookieId(), config, host.faults());
        closing.add(recovered.pages()::close);
        return recovered;
    }

    private void open(BookieCookie cookie, Directories opened, Recovery.Recovered recovered, List<List<Slab>> slabs) {
        Space space = recovered.space().look();
        List<JournalSetup> journals = openJournals(recovered, cookie, opened, slabs);
        Bookie.Opened ready = new Bookie.Opened(recovered, journals, new ColdReader(opened.data()));
        Bookie.Ground ground = new Bookie.Ground(config, cookie, loops, opened, stores);
        BookieRegistry.Tokens tokens = serves ? tokens(cookie, opened) : BookieRegistry.Tokens.first(WriteToken.NONE);
        loops.core()
                .execute(() -> step(() -> {
                    Bookie bookie = new Bookie(host, ground, ready);
                    closing.clear();
                    step(bookie, () -> {
                        bookie.space(space);
                        if (serves) {
                            listen(bookie, space, tokens);
                        } else {
                            bookie.opened();
                            result.complete(bookie);
                        }
                    });
                }));
    }

    private List<JournalSetup> openJournals(
            Recovery.Recovered recovered, BookieCookie cookie, Directories opened, List<List<Slab>> slabs) {
        List<JournalSegment> all = new ArrayList<>();
        List<JournalSetup> journals = new ArrayList<>();
        JournalCount count = opened.journalCount();
        for (int journal = 0; journal < count.count(); journal++) {
            Disk disk = opened.journals().get(journal).disk();
            List<String> names = recovered.rings().get(journal);
            for (int i = 0; i < names.size(); i++) {
                DiskFile file = disk.open(names.get(i), Disk.OpenMode.READ_WRITE_DURABLE);
                closing.add(file::close);
                all.add(new JournalSegment(file, slabs.get(journal).get(i)));
            }
            Mark mark = recovered.checkpoint().mark(journal);
            journals.add(new JournalSetup(
                    cookie.bookieId(),
                    all.subList(all.size() - names.size(), all.size()),
                    disk.blockBytes(),
                    config.commitBytesMax(),
                    mark.incarnation(),
                    mark.sequence(),
                    count));
        }
        return journals;
    }

    // ---- on the core loop ----

    private void listen(Bookie bookie, Space space, BookieRegistry.Tokens tokens) {
        loops.core()
                .resume(
                        bookie.listen(),
                        (bound, failure) -> step(bookie, () -> {
                            if (bound == null) {
                                giveUp(
                                        bookie,
                                        new BookieStartException(
                                                ExitCode.PORT,
                                                (failure == null
                                                                ? "cannot listen on " + config.listen()
                                                                : failure.getMessage())
                                                        + ": stop the process that listens there or set bookie.listen",
                                                failure));
                            } else {
                                register(bookie, bound, space, tokens);
                            }
                        }));
    }

    /** Runs one step of a bookie that exists; what it throws ends both. */
    private void step(Bookie bookie, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | VirtualMachineError | LinkageError thrown) {
            giveUp(bookie, failureOf(thrown));
        }
    }

    private void register(Bookie bookie, Network.Listener bound, Space space, BookieRegistry.Tokens tokens) {
        String advertised = config.advertisedHost().isBlank() ? config.listen().host() : config.advertisedHost();
        Endpoint endpoint = new Endpoint(advertised, bound.endpoint().port());
        bookie.listening(bound, endpoint);
        BookieRegistration registration = new BookieRegistration(
                bookie.id(),
                config.name(),
                endpoint.host(),
                endpoint.port(),
                bookie.isReadOnly(),
                config.rack(),
                space.usableBytes());
        CompletableFuture<BookieRegistry.Registration> registering =
                stores.bookies().register(registration, tokens);
        // A bookie that fails meanwhile ends its loops, and then nobody hears what comes of the registration.
        bookie.ended().thenRun(() -> {
            result.completeExceptionally(bookie.failure());
            registering.thenAccept(BookieRegistry.Registration::close);
        });
        loops.core()
                .resume(
                        registering,
                        (made, failure) -> step(bookie, () -> {
                            if (made == null) {
                                giveUp(bookie, registrationFailure(bookie, failure));
                            } else if (bookie.registered(new Presence(
                                    loops.core(),
                                    made,
                                    registration,
                                    other -> bookie.fatal(ExitCode.REPLACED, replaced(other))))) {
                                result.complete(bookie);
                            } else {
                                giveUp(bookie, bookie.failure());
                            }
                        }));
    }

    /** Two processes would take entries for one bookie and each would lack those of the other. */
    private static String replaced(String other) {
        return "another process is registered as this bookie, reached at " + other
                + ": stop one of the two and start this one again, or format empty directories for it";
    }

    private static BookieStartException registrationFailure(Bookie bookie, @Nullable Throwable failure) {
        return failure instanceof MetadataException refused && refused.code() == MetadataException.Code.ALREADY_EXISTS
                ? new BookieStartException(
                        ExitCode.IN_USE,
                        refused.getMessage() + ": the directories of bookie " + bookie.id()
                                + " were copied; keep one copy and format empty directories for the other",
                        refused)
                : BookieFormat.MetadataFailures.of("register bookie " + bookie.id(), failure);
    }

    private void giveUp(Bookie bookie, BookieStartException failure) {
        bookie.failedToStart(failure);
        bookie.abort().whenComplete((done, ignored) -> result.completeExceptionally(failure));
    }
}
