// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.segment.Whereabouts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A stream made of ledgers: a name in its namespace, and what the stream was when it was opened, by which a call is told the new name of one that has left its name.
 * <i>Threading:</i> any thread.
 */
final class LedgerLogStream implements LogStream {
    private final StreamsNamespace namespace;
    private final String name;
    private final Whereabouts whereabouts;

    /** Of the stream that {@code head} was when it was opened. */
    LedgerLogStream(StreamsNamespace namespace, StreamMetadata head) {
        this.namespace = namespace;
        this.name = head.name();
        this.whereabouts = new Whereabouts(namespace.control(), head);
    }

    private <T> CompletableFuture<T> told(CompletableFuture<T> outcome) {
        return outcome.exceptionallyCompose(
                failure -> Failures.rootOf(failure) instanceof StreamException.StreamNotFound notFound
                        ? namespace.call(name, "look it up", () -> whereabouts.orElse(notFound))
                        : CompletableFuture.failedFuture(Failures.rootOf(failure)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<LogWriter> openWriter(WriterOptions options) {
        return told(namespace.openWriter(name, options));
    }

    @Override
    public CompletableFuture<LogReader> openReader(StartPosition start) {
        return told(namespace.openReader(name, start));
    }

    @Override
    public CompletableFuture<DLSN> truncate(DLSN firstKept) {
        return told(namespace.calls().truncate(name, firstKept));
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> find(StartPosition start) {
        return told(namespace.calls().find(name, start));
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> lastRecord() {
        return told(namespace.calls().lastRecord(name));
    }

    @Override
    public CompletableFuture<Void> changeOptions(StreamOptions options) {
        return told(namespace.calls().changeOptions(name, options));
    }

    @Override
    public CompletableFuture<StreamStatus> status() {
        return told(namespace.calls().status(name));
    }

    @Override
    public Subscriptions subscriptions() {
        return new StreamSubscriptions(namespace, name);
    }

    @Override
    public String toString() {
        return name;
    }
}
