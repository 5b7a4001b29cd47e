// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.system.Interrupts;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.Namespace.Change;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.maintenance.MaintenanceReport;
import io.daybook.stream.core.maintenance.StreamDeletion;
import io.daybook.stream.core.maintenance.StreamMaintainer;
import io.daybook.stream.core.owner.OwnershipRequest;
import io.daybook.stream.core.position.ReadCursor;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.stream.core.reader.ReaderHandle;
import io.daybook.stream.core.segment.FreshHead;
import io.daybook.stream.core.segment.InternalThreads;
import io.daybook.stream.core.segment.Retry;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamEnvironment.ProgramName;
import io.daybook.stream.core.segment.StreamFailures;
import io.daybook.stream.core.takeover.StreamRenaming;
import io.daybook.stream.core.watch.NamespaceWatch;
import io.daybook.stream.core.writer.WriterHandle;
import io.daybook.stream.core.writer.WriterOpening;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The namespace over a ledger client and metadata stores. Every writer and every reader is a machine on a loop of the ledger client.
 *
 * <p><i>Threading:</i> any thread; what it keeps of its own lives on one loop of the client.
 */
public final class StreamsNamespace implements Namespace {
    private static final long CLOSE_NANOS_MAX = 10_000_000_000L;
    private static final Duration WATCH_INTERVAL_MIN = Duration.ofMillis(10);
    private static final Duration WATCH_INTERVAL_MAX = Duration.ofDays(1);

    private final LedgerClient ledgers;
    private final StreamMetadataStore metadata;
    private final RandomSource random;
    private final Runnable onClose;
    private final InternalThreads internal = new InternalThreads(Interrupts::keep);
    private final StreamEnvironment control;
    private final Set<WriterHandle> writers = new LinkedHashSet<>();
    private final Set<ReaderHandle> readers = new LinkedHashSet<>();
    private final NamespaceWatch.Open watches = new NamespaceWatch.Open();
    private final CompletableFuture<Void> closing = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private long machines;
    private volatile boolean isClosed;
    private volatile boolean isReleased;

    /** A client, and the key of streams whose entries have an HMAC, {@link DigestKey#NONE} for none. */
    record Ledgers(LedgerClient client, DigestKey key) {}

    private StreamsNamespace(
            Ledgers ledgersAndKey, MetadataStores stores, Host host, ProgramName program, Runnable onClose) {
        this.ledgers = ledgersAndKey.client();
        this.metadata = stores.streams();
        this.random = host.random().fork("streams " + program.label());
        this.onClose = onClose;
        EventLoop loop = ledgers.assignLoop();
        internal.add(loop);
        this.control = new StreamEnvironment(
                loop,
                ledgers,
                ledgersAndKey.key(),
                metadata,
                stores.subscriptions(),
                stores.locks(),
                random.fork("control"),
                host.faults(),
                program);
    }

    /**
     * A namespace over a client and stores that stay the caller's: closing it closes its writers and readers only.
     *
     * @param label names this program for people, and is unique among the namespaces of {@code host}
     */
    public static StreamsNamespace open(LedgerClient ledgers, MetadataStores stores, Host host, String label) {
        return open(ledgers, DigestKey.NONE, stores, host, label);
    }

    /** As {@link #open(LedgerClient, MetadataStores, Host, String)}, with the key of streams whose entries have an HMAC. */
    public static StreamsNamespace open(
            LedgerClient ledgers, DigestKey key, MetadataStores stores, Host host, String label) {
        return open(new Ledgers(ledgers, key), stores, host, ProgramName.of(label), () -> {});
    }

    /** As {@link #open(LedgerClient, MetadataStores, Host, String)}; {@code onClose} gives back what is behind it; it may block. */
    static StreamsNamespace open(
            Ledgers ledgers, MetadataStores stores, Host host, ProgramName program, Runnable onClose) {
        return new StreamsNamespace(ledgers, stores, host, program, onClose);
    }

    /** Calls of this namespace that come from {@code loop} never block it, as if it were one of its own: they are refused instead. */
    public void neverBlock(EventLoop loop) {
        internal.add(loop);
    }

    /**
     * From now on until this is closed, this process may be elected to keep all streams of the namespace within their retention and to finish what was cut short.
     *
     * @param afterPass is told what each pass did, on an internal thread
     */
    public void maintain(MaintenanceConfig config, Consumer<MaintenanceReport> afterPass) {
        if (config.enabled()) {
            StreamMaintainer maintainer =
                    new StreamMaintainer(control.on(control.loop(), random.fork("maintainer")), config, afterPass);
            closing.thenRun(maintainer::close);
            maintainer.start();
        }
    }

    // ---- streams ----

    @Override
    public CompletableFuture<LogStream> openStream(String name, OpenMode mode, StreamOptions options) {
        StreamSettings settings = StreamValues.settings(options);
        return call(name, "open it", () -> open(NameRule.requireLegal(name), mode, settings));
    }

    private CompletableFuture<LogStream> open(String name, OpenMode mode, StreamSettings settings) {
        return control.onLoop(metadata.read(name))
                .handle((head, failure) -> {
                    if (failure == null) {
                        return opened(head, mode, settings);
                    }
                    boolean isAbsent = StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND);
                    return isAbsent && mode != OpenMode.MUST_EXIST
                            ? create(name, mode, settings)
                            : CompletableFuture.<LogStream>failedFuture(failure);
                })
                .thenCompose(outcome -> outcome);
    }

    private CompletableFuture<LogStream> opened(
            Versioned<StreamMetadata> head, OpenMode mode, StreamSettings settings) {
        String name = head.value().name();
        if (head.value().state() == StreamMetadata.State.DELETING && mode != OpenMode.MUST_EXIST) {
            return new StreamDeletion(control, name).goOn(head).thenCompose(gone -> open(name, mode, settings));
        }
        StreamFailures.requireNotDeleting(head);
        if (mode == OpenMode.CREATE_NEW) {
            throw new StreamException.StreamExists("stream '" + name + "' exists already");
        }
        return CompletableFuture.completedFuture(new LedgerLogStream(this, head.value()));
    }

    private CompletableFuture<LogStream> create(String name, OpenMode mode, StreamSettings settings) {
        StreamMetadata head = StreamValues.newHead(
                name, settings, control.freshToken(), control.loop().wallMillis(), control.freshToken());
        return control.onLoop(metadata.create(head))
                .<LogStream>thenApply(created -> new LedgerLogStream(this, created.value()))
                .exceptionallyCompose(failure -> mode == OpenMode.CREATE_IF_MISSING
                                && StreamFailures.isMetadata(failure, MetadataException.Code.ALREADY_EXISTS)
                        ? open(name, mode, settings)
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<Boolean> exists(String name) {
        return call(
                name,
                "look it up",
                () -> control.onLoop(metadata.read(NameRule.requireLegal(name)))
                        .thenApply(head -> head.value().state() != StreamMetadata.State.DELETING)
                        .exceptionallyCompose(
                                failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                                        ? CompletableFuture.completedFuture(false)
                                        : CompletableFuture.failedFuture(failure)));
    }

    @Override
    public CompletableFuture<Void> delete(String name) {
        return call(name, "delete it", () -> new StreamDeletion(control, NameRule.requireLegal(name)).run());
    }

    @Override
    public CompletableFuture<Renamed> rename(String name, String newName, WriterOptions ownership) {
        return callOnOwnLoop(name, "rename it", environment -> {
            NameRule.requireLegal(name);
            NameRule.requireLegal(newName);
            if (name.equals(newName)) {
                throw new StreamException.InvalidName("stream '" + name + "' has that name already: take another one");
            }
            return environment
                    .onLoop(metadata.read(name))
                    .thenApply(StreamFailures::requireNotDeleting)
                    .thenCompose(head -> requireFree(environment, newName).thenApply(free -> head.value()))
                    .thenCompose(known -> new OwnershipRequest(environment, known, ownership, () -> isClosed)
                            .run()
                            .thenCompose(owner -> new StreamRenaming(environment, known, newName)
                                    .run()
                                    .whenComplete((done, failure) -> owner.release())));
        });
    }

    /** Finishes the deletion of a stream of that name; fails when there is one that is not being deleted. */
    private CompletableFuture<Void> requireFree(StreamEnvironment environment, String name) {
        return environment
                .onLoop(metadata.read(name))
                .thenCompose(head -> head.value().state() == StreamMetadata.State.DELETING
                        ? new StreamDeletion(environment, name).goOn(head)
                        : CompletableFuture.<Void>failedFuture(StreamRenaming.taken(name)))
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletableFuture<NamePage> list(String prefix, String afterName, int countMax) {
        if (countMax < 1 || countMax > SegmentList.PAGE_COUNT) {
            throw new IllegalArgumentException("a page has 1 to " + SegmentList.PAGE_COUNT + " names, not " + countMax);
        }
        return call(
                prefix,
                "list the streams of this prefix",
                () -> control.onLoop(metadata.list(prefix, afterName, countMax))
                        .thenApply(page -> new NamePage(page.items(), page.isLast())));
    }

    @Override
    public Flow.Publisher<Change> watch(String prefix, Duration interval) {
        if (interval.compareTo(WATCH_INTERVAL_MIN) < 0 || interval.compareTo(WATCH_INTERVAL_MAX) > 0) {
            throw new IllegalArgumentException("the interval of a watch is 10 milliseconds to 1 day, not " + interval);
        }
        NamespaceWatch watch = new NamespaceWatch(control, watches, prefix, interval.toNanos());
        return subscriber -> {
            if (isClosed) {
                NamespaceWatch.refuse(subscriber, closedFailure());
            } else {
                watch.subscribe(subscriber);
            }
        };
    }

    /** What is asked and changed of single streams. */
    StreamCalls calls() {
        return new StreamCalls(this);
    }

    // ---- writers and readers ----

    CompletableFuture<LogWriter> openWriter(StreamMetadata known, WriterOptions options) {
        return callOnOwnLoop(
                known.name(),
                "open a writer",
                environment -> new WriterOpening(environment, known, options, internal)
                        .run(() -> isClosed)
                        .thenCompose(writer -> {
                            writer.whenClosed(() -> control.loop().execute(() -> writers.remove(writer)));
                            return kept(writers, writer, writer::closeWriter);
                        }));
    }

    CompletableFuture<ReaderHandle> openReader(StreamMetadata known, StartPosition start) {
        if (start instanceof StartPosition.AtSubscription subscription) {
            return new StreamSubscriptions(this, known)
                    .find(subscription.id())
                    .thenCompose(found -> openReader(known, StreamSubscriptions.start(found, subscription)));
        }
        return callOnOwnLoop(
                known.name(),
                "open a reader",
                environment -> Retry.reading(
                        environment,
                        () -> FreshHead.act(
                                environment,
                                known,
                                head -> new StartResolver(environment, known.name())
                                        .resolve(head.value(), start)
                                        .thenCompose(cursor -> read(environment, head.value(), cursor)))));
    }

    private CompletableFuture<ReaderHandle> read(
            StreamEnvironment environment, StreamMetadata head, ReadCursor cursor) {
        ReaderHandle reader = new ReaderHandle(environment, head, cursor, internal);
        reader.whenClosed(() -> control.loop().execute(() -> readers.remove(reader)));
        return kept(readers, reader, reader::close);
    }

    /** Keeps what was opened until it is closed; when this was closed meanwhile, closes it. */
    private <H extends T, T> CompletableFuture<T> kept(Set<H> open, H handle, Runnable close) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        control.loop().execute(() -> {
            if (isClosed) {
                close.run();
                outcome.completeExceptionally(closedFailure());
            } else {
                open.add(handle);
                outcome.complete(handle);
            }
        });
        return outcome;
    }

    // ---- calls ----

    /** Where calls that need no loop of their own are made. */
    StreamEnvironment control() {
        return control;
    }

    /** A step that is begun on the control loop. */
    interface Step<T> {
        CompletableFuture<T> begin();
    }

    /** Begins a step on the control loop; its failure becomes what an application is told. */
    <T> CompletableFuture<T> call(String name, String doing, Step<T> step) {
        if (isClosed) {
            return CompletableFuture.failedFuture(closedFailure());
        }
        CompletableFuture<T> outcome = new CompletableFuture<>();
        control.loop()
                .execute(() -> CompletableFuture.<Void>completedFuture(null)
                        .thenCompose(now -> step.begin())
                        .whenComplete((value, failure) -> {
                            if (failure != null) {
                                outcome.completeExceptionally(StreamFailures.of(name, doing, failure));
                            } else {
                                outcome.complete(value);
                            }
                        }));
        return outcome;
    }

    /** A step on a loop that is assigned to what it opens. */
    private <T> CompletableFuture<T> callOnOwnLoop(
            String name, String doing, Function<StreamEnvironment, CompletableFuture<T>> step) {
        return call(name, doing, () -> {
            EventLoop loop = ledgers.assignLoop();
            internal.add(loop);
            RandomSource own = random.fork("machine " + machines++);
            StreamEnvironment environment = control.on(loop, own);
            CompletableFuture<T> outcome = new CompletableFuture<>();
            loop.execute(() -> CompletableFuture.<Void>completedFuture(null)
                    .thenCompose(now -> step.apply(environment))
                    .whenComplete((value, failure) -> {
                        if (failure != null) {
                            outcome.completeExceptionally(failure);
                        } else {
                            outcome.complete(value);
                        }
                    }));
            return outcome;
        });
    }

    private StreamException closedFailure() {
        return new StreamException.HandleClosed("the namespace was closed", Outcome.FAILED);
    }

    // ---- the end ----

    /** Closes all writers and readers; completes when that is done or failed. What is behind the namespace stays open. */
    public CompletableFuture<Void> shutdown() {
        if (!isClosed) {
            isClosed = true;
            closing.complete(null);
            control.loop().execute(() -> {
                watches.end(this::closedFailure);
                List<CompletableFuture<Void>> closing = new ArrayList<>();
                List.copyOf(readers).forEach(ReaderHandle::close);
                List.copyOf(writers).forEach(writer -> closing.add(writer.closeWriter()));
                CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                        .whenComplete((done, failure) -> released.complete(null));
            });
        }
        return released.copy();
    }

    @Override
    public void close() {
        internal.requireForeign("close");
        CompletableFuture.anyOf(shutdown(), control.pause(CLOSE_NANOS_MAX)).join();
        if (!isReleased) {
            isReleased = true;
            onClose.run();
        }
    }
}
