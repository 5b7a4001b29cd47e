// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

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

/** A stream made of ledgers: a name in its namespace. <i>Threading:</i> any thread. */
final class LedgerLogStream implements LogStream {
    private final StreamsNamespace namespace;
    private final String name;

    LedgerLogStream(StreamsNamespace namespace, String name) {
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<LogWriter> openWriter(WriterOptions options) {
        return namespace.openWriter(name, options);
    }

    @Override
    public CompletableFuture<LogReader> openReader(StartPosition start) {
        return namespace.openReader(name, start);
    }

    @Override
    public CompletableFuture<DLSN> truncate(DLSN firstKept) {
        return namespace.calls().truncate(name, firstKept);
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> find(StartPosition start) {
        return namespace.calls().find(name, start);
    }

    @Override
    public CompletableFuture<Optional<PositionedRecord>> lastRecord() {
        return namespace.calls().lastRecord(name);
    }

    @Override
    public CompletableFuture<Void> changeOptions(StreamOptions options) {
        return namespace.calls().changeOptions(name, options);
    }

    @Override
    public CompletableFuture<StreamStatus> status() {
        return namespace.calls().status(name);
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
