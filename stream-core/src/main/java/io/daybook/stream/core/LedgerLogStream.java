// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A stream made of ledgers, as it was when it was opened: another stream that has its name since is none of its concern, and whoever asks for one that has left its name is told
 * the new one (S14). <i>Threading:</i> any thread.
 */
final class LedgerLogStream implements LogStream {
    private final StreamsNamespace namespace;
    private final StreamMetadata known;

    /** Of the stream that {@code head} was when it was opened. */
    LedgerLogStream(StreamsNamespace namespace, StreamMetadata head) {
        this.namespace = namespace;
        this.known = head;
    }

    @Override
    public String name() {
        return known.name();
    }

    @Override
    public CompletableFuture<LogWriter> openWriter(WriterOptions options) {
        return namespace.openWriter(known, options);
    }

    @Override
    public CompletableFuture<LogReader> openReader(StartPosition start) {
        return namespace.openReader(known, start).thenApply(reader -> reader);
    }

    @Override
    public CompletableFuture<DLSN> truncate(DLSN firstKept) {
        return namespace.calls().truncate(known, firstKept);
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> find(StartPosition start) {
        return namespace.calls().find(known, start);
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> lastRecord() {
        return namespace.calls().lastRecord(known);
    }

    @Override
    public CompletableFuture<Void> changeOptions(StreamOptions options) {
        return namespace.calls().changeOptions(known, options);
    }

    @Override
    public CompletableFuture<StreamStatus> status() {
        return namespace.calls().status(known);
    }

    @Override
    public Subscriptions subscriptions() {
        return new StreamSubscriptions(namespace, known);
    }

    @Override
    public String toString() {
        return known.name();
    }
}
