// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.cleanup.Cleanup;
import io.daybook.bookie.cleanup.CleanupParts;
import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.description.SelfDescription;
import io.daybook.bookie.disk.Space;
import io.daybook.bookie.disk.SpaceWatch;
import io.daybook.bookie.index.ColdReader;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.journal.Journal;
import io.daybook.bookie.journal.JournalSetup;
import io.daybook.bookie.journal.Journals;
import io.daybook.bookie.ledgers.Appends;
import io.daybook.bookie.ledgers.Defects;
import io.daybook.bookie.ledgers.LedgerSources;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.bookie.ledgers.Reads;
import io.daybook.bookie.limbo.Doubts;
import io.daybook.bookie.limbo.LimboEnd;
import io.daybook.bookie.limbo.LimboRound;
import io.daybook.bookie.scrub.Damage;
import io.daybook.bookie.scrub.Scrub;
import io.daybook.bookie.server.BookieServer;
import io.daybook.bookie.server.Presence;
import io.daybook.bookie.server.ServerIdentity;
import io.daybook.bookie.server.ServerLimits;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.Disk;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running storage server.
 *
 * <p><i>States:</i> running → stopping (links closed; what is staged is committed, flushed and checkpointed) → ended. Or running → failed (a write
 * failed: nothing is acknowledged any more, the host is told to halt) → ended. {@link #abort} goes straight to the end from anywhere. A stop of any kind that
 * does not end in time, because a device hangs, halts the host too.
 *
 * <p><i>Threading:</i> the core loop; public methods from any thread.
 */
public final class Bookie {
    /** A situation of simulated runs: no data directory took entries. */
    public static final String DISK_FULL = "bookie-disk-full";

    /** A situation of simulated runs: one had room again. */
    public static final String ROOM_AGAIN = "bookie-room-again";

    private static final Logger LOG = LoggerFactory.getLogger(Bookie.class);

    /** Long enough for a client across a continent on a bad day. */
    private static final long GREETING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private enum State {
        /** Serving. */
        RUNNING,
        /** Closing in an orderly way. */
        STOPPING,
        /** Nothing is done any more but giving things back. */
        ENDING,
        /** Nothing is held. */
        ENDED
    }

    private final Host host;
    private final Ground ground;
    private final Storage storage;
    private final Flushing flushing;
    private final Journals journals;
    private final Appends appends;
    private final BookieServer server;
    private final EventLoop cleanupLoop;
    private final Cleanup cleanup;
    private final Scrub scrub;
    private final StopBound stop;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private State state = State.RUNNING;

    private final SpaceWatch spaceWatch;
    private final Doubts doubts;
    private final LimboRound limboRound;
    private final LimboEnd limboEnd;
    private final PageCache index;
    private boolean refuses;
    private final SelfDescription description;
    private Space space = Space.unmeasured();
    private @Nullable Presence presence;
    private volatile @Nullable BookieStartException failure;
    private Network.@Nullable Listener listener;
    private Endpoint endpoint;

    /** What is there before the machines of the core loop. */
    record Ground(
            BookieConfig config,
            BookieCookie cookie,
            Storage.Loops loops,
            Directories directories,
            MetadataStores stores) {}

    /** What is on disk, ready to go on. */
    record Opened(Recovery.Recovered recovered, List<JournalSetup> journals, ColdReader coldReader) {}

    /** On the core loop. */
    Bookie(Host host, Ground ground, Opened opened) {
        this.host = host;
        this.ground = ground;
        BookieConfig config = ground.config();
        spaceWatch = opened.recovered().space();
        BookieId bookieId = ground.cookie().bookieId();
        EventLoop core = ground.loops().core();
        endpoint = config.listen();
        LedgerTable table = opened.recovered().table();
        index = table.cache();
        storage = new Storage(ground.loops(), opened.recovered(), opened.coldReader(), config.slabCount(), this::fatal);
        flushing = new Flushing(core, storage, opened, host, this::fatal);
        journals = flushing.journals();
        SlabCache cache = new SlabCache(journals.slabs());
        int entryBytesMax = opened.journals().stream()
                .mapToInt(journal -> Journal.entryBytesMax(config.slabBytes(), journal.blockBytes()))
                .reduce(Limits.ENTRY_BYTES_MAX, Math::min);
        LedgerSources sources = new LedgerSources(table, journals, cache, storage);
        appends = new Appends(core, sources, entryBytesMax, host.faults());
        flushing.onRoom(appends::roomAgain);
        Reads reads = new Reads(core, sources, appends, host.faults());
        server = new BookieServer(
                core, new ServerIdentity(ground.cookie().clusterId(), bookieId), limits(config), appends, reads);
        Disk notesDisk = ground.directories().data().first();
        doubts = new Doubts(
                core, ground.loops().storage(), notesDisk, opened.recovered().notes(), table);
        limboRound = new LimboRound(core, ground.stores().ledgers(), table, appends, bookieId);
        limboEnd = new LimboEnd(core, ground.stores().ledgers(), table, appends, bookieId);
        limboEnd.onEnded(() -> host.faults().reached(LimboEnd.ENDED));
        if (doubts.isSuspect() && host.faults().at(Defects.AMNESIA)) {
            doubts.forget();
        }
        turn();
        cleanupLoop = host.newLoop("bookie-cleanup-0", Host.LoopKind.STORAGE);
        stop = new StopBound(host, bookieId);
        CleanupParts parts = new CleanupParts(
                bookieId,
                core,
                cleanupLoop,
                table,
                appends,
                ground.stores().ledgers(),
                ground.directories().data(),
                opened.recovered().catalog(),
                opened.recovered().space(),
                storage::forget,
                config.slabBytes(),
                host.faults(),
                reason -> fatal(ExitCode.VIOLATION, reason));
        cleanup = new Cleanup(parts, config.cleanup(), config.index());
        scrub = new Scrub(parts, config.scrub());
        description = new SelfDescription(
                core,
                new SelfDescription.Names(config.dataDirectories(), config.journalDirectories()),
                new SelfDescription.Parts(table, journals, cleanup, scrub));
        server.describedBy(this::describe);
    }

    private static ServerLimits limits(BookieConfig config) {
        return new ServerLimits(
                config.linksMax(), config.readsInFlightMax(), config.answerBytesMax(), GREETING_NANOS, STALL_NANOS);
    }

    private BookieDescription describe() {
        return description.of(space, readOnlyBecause());
    }

    /**
     * Starts the bookie whose formatted directories the configuration names. Fails with {@link BookieStartException}, with everything given back.
     *
     * @return the bookie once it listens and is registered
     */
    public static CompletableFuture<Bookie> start(BookieConfig config, Host host, MetadataStores stores) {
        return BookieStart.start(config, host, stores);
    }

    /**
     * Opens the bookie as {@link #start} does, but it neither listens nor is it registered: for getting space back while it does not serve.
     */
    public static CompletableFuture<Bookie> open(BookieConfig config, Host host, MetadataStores stores) {
        return BookieStart.open(config, host, stores);
    }

    /** How it is set up. */
    public BookieConfig config() {
        return ground.config();
    }

    /** Who it is. */
    public BookieId id() {
        return ground.cookie().bookieId();
    }

    /** Where clients reach it: the advertised host and the port that was bound. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /**
     * Gets space back now, instead of after the interval; see {@link Cleanup#runNow}.
     *
     * @param major whether logs are compacted by the share for major compaction
     */
    public CompletableFuture<CleanupReport> cleanUp(boolean major) {
        return cleanup.runNow(major);
    }

    /** What the search for damage knows of; see {@link Scrub}. */
    public List<Damage> damages() {
        return scrub.damages();
    }

    /** Stops in an orderly way: the next start has nothing to replay. Halts the host when that takes longer than a minute. Idempotent. */
    public CompletableFuture<Void> close() {
        onCoreToStop(this::beginClose);
        return ended.copy();
    }

    /** Stops as a crash would, as far as that can be within a process: nothing more is written than what is being written. Idempotent. */
    public CompletableFuture<Void> abort() {
        onCoreToStop(() -> end("the bookie stopped"));
        return ended.copy();
    }

    private void onCoreToStop(Runnable task) {
        stop.begin("a write that holds up all else to end, in " + String.join(", ", config().journalDirectories()));
        ground.loops().core().execute(task);
    }

    /** Begins to listen. On the core loop. */
    CompletableFuture<Network.Listener> listen() {
        return server.listen(host.network(), ground.config().listen());
    }

    // ---- starting, called by BookieStart on the core loop ----

    void listening(Network.Listener bound, Endpoint advertised) {
        listener = bound;
        endpoint = advertised;
    }

    /** It works without being reached. */
    void opened() {
        flushing.watchAge(ground.config().flushAge().toNanos());
        cleanup.start();
        spaceWatch.start(ground.loops().storage(), ground.loops().core(), this::space);
    }

    /** Whether it serves now; when it ended while it registered, the registration is given back. */
    boolean registered(Presence made) {
        if (state != State.RUNNING) {
            made.close();
            return false;
        }
        presence = made;
        description.serving();
        flushing.watchAge(ground.config().flushAge().toNanos());
        cleanup.start();
        scrub.start();
        spaceWatch.start(ground.loops().storage(), ground.loops().core(), this::space);
        settleDoubts();
        LOG.info(
                "bookie={} endpoint={} name={} state={}",
                id(),
                endpoint,
                ground.config().name(),
                isReadOnly() ? "READ_ONLY" : "RUNNING");
        return true;
    }

    /** What clients ask. */
    BookieServer server() {
        return server;
    }

    /** How many requests to read came since it was started. From any thread. */
    public long readRequests() {
        return server.readRequests();
    }

    /** Completes when nothing is held any more. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** It is about to be stopped for this reason, unless it failed itself. */
    void failedToStart(BookieStartException reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /** Why it ended while it started. */
    BookieStartException failure() {
        BookieStartException known = failure;
        return known == null
                ? new BookieStartException(ExitCode.VIOLATION, "the bookie was stopped while it started")
                : known;
    }

    // ---- space ----

    /** Whether it takes no new entries. */
    boolean isReadOnly() {
        return doubts.isSuspect() || space.isReadOnly() || index.isFull();
    }

    private List<String> readOnlyBecause() {
        List<String> reasons = new ArrayList<>();
        if (doubts.isSuspect()) {
            reasons.add(BookieDescription.ReadOnly.IN_DOUBT);
        }
        if (space.forcedReadOnly()) {
            reasons.add(BookieDescription.ReadOnly.FORCED);
        }
        if (space.level() == Space.Level.FULL) {
            reasons.add(BookieDescription.ReadOnly.DISK_FULL);
        }
        if (index.isFull()) {
            reasons.add(BookieDescription.ReadOnly.INDEX_FULL);
        }
        return reasons;
    }

    /** Takes in how the devices are. */
    void space(Space now) {
        if (state != State.RUNNING) {
            return;
        }
        if (now.level() != space.level() || now.forcedReadOnly() != space.forcedReadOnly()) {
            LOG.warn(
                    "bookie={} space={} usable={} forced={} state={}",
                    id(),
                    now.level(),
                    now.usableBytes(),
                    now.forcedReadOnly(),
                    now.isReadOnly() ? "READ_ONLY" : "WRITABLE");
        }
        boolean isFull = now.level() == Space.Level.FULL;
        if (isFull != (space.level() == Space.Level.FULL)) {
            host.faults().reached(isFull ? DISK_FULL : ROOM_AGAIN);
        }
        boolean fillsUp = now.fullDirectories() > space.fullDirectories();
        space = now;
        turn();
        if (fillsUp) {
            cleanup.runNow(true);
        }
    }

    private void turn() {
        if (isReadOnly() != refuses) {
            refuses = !refuses;
            appends.readOnly(refuses);
        }
        if (presence != null) {
            presence.tell(isReadOnly(), space.usableBytes());
        }
    }

    // ---- limbo ----

    private void settleDoubts() {
        if (doubts.isSuspect()) {
            limboRound.run(() -> doubts.noteDamage(this::doubtsSettled));
        } else {
            limboEnd.start();
        }
    }

    private void doubtsSettled() {
        turn();
        limboEnd.start();
    }

    // ---- ending ----

    void fatal(ExitCode exitCode, String reason) {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        LOG.error("bookie={} exit={} state=FAILED reason={}", id(), exitCode.code(), reason);
        failure = new BookieStartException(exitCode, "the bookie failed while it started: " + reason);
        end(reason);
        host.halt(exitCode.code(), "bookie " + id() + ": " + reason);
    }

    private void beginClose() {
        if (state != State.RUNNING) {
            return;
        }
        state = State.STOPPING;
        LOG.info("bookie={} state=STOPPING", id());
        stop.awaits("the journals to commit, in " + String.join(", ", config().journalDirectories()));
        stopServing("the bookie is stopping");
        journals.stop(() -> {
            stop.awaits("slabs to be flushed, to " + String.join(", ", config().dataDirectories()));
            storage.drain(() -> end("the bookie is stopping"));
        });
    }

    private void stopServing(String reason) {
        flushing.stop();
        doubts.stop();
        limboRound.stop();
        limboEnd.stop();
        ground.loops().storage().execute(spaceWatch::stop);
        if (presence != null) {
            presence.close();
        }
        if (listener != null) {
            listener.close();
        }
        server.closeLinks(reason);
        appends.drop();
    }

    /** Gives everything back, whatever the state; what is in flight comes back first. */
    private void end(String reason) {
        if (state == State.ENDING || state == State.ENDED) {
            return;
        }
        boolean served = state == State.RUNNING;
        state = State.ENDING;
        stop.awaits("what reads and writes now to end, in " + String.join(", ", config().dataDirectories()));
        try {
            if (served) {
                stopServing(reason);
            }
            journals.abort();
            storage.stopFlushing();
        } finally {
            scrub.stop(() -> cleanup.stop(() -> storage.drain(this::giveBack)));
        }
    }

    private void giveBack() {
        stop.awaits("its registration and its port to be given back");
        CompletableFuture<Void> unregistered =
                presence == null ? CompletableFuture.completedFuture(null) : presence.close();
        CompletableFuture<Void> portFree =
                listener == null ? CompletableFuture.completedFuture(null) : listener.close();
        ground.loops().core().resume(CompletableFuture.allOf(unregistered, portFree), (done, unclean) -> {
            if (unclean != null) {
                LOG.warn("bookie={} state=ENDED registration or port: {}", id(), unclean.getMessage());
            }
            stop.awaits("writes of the journals to end, in " + String.join(", ", config().journalDirectories()));
            journals.close(this::letGo);
        });
    }

    private void letGo() {
        state = State.ENDED;
        ground.directories().close();
        LOG.info("bookie={} state=ENDED", id());
        ended.complete(null);
        stop.over();
        cleanupLoop.close();
        ground.loops().read().close();
        ground.loops().storage().close();
        ground.loops().core().close();
    }
}
