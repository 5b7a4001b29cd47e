// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.concurrent.CompletableFuture;

/** A named stream: one total order of records. A handle costs nothing to keep. */
public interface LogStream {
    /** The name. */
    String name();

    /** As {@link #openWriter(WriterOptions)} with {@link WriterOptions#DEFAULT}: waits up to 30 seconds for another owner to end. */
    default CompletableFuture<LogWriter> openWriter() {
        return openWriter(WriterOptions.DEFAULT);
    }

    /**
     * Becomes the one writer of the stream, also within this process. An unfinished segment of a writer before is recovered with every acknowledged record, and that
     * writer, should it still live, is fenced: it can never add a record again.
     *
     * <p>Fails with {@link StreamException.StreamOwned} when another writer owns the stream and the options do not say to take it over, with
     * {@link StreamException.EndOfStream} when the stream is sealed, {@link StreamException.StreamNotFound}, and {@link StreamException.Unavailable} when too few bookies or
     * no metadata store can be reached.
     */
    CompletableFuture<LogWriter> openWriter(WriterOptions options);

    /** Opens a reader. Any number of readers may read a stream; none disturbs the writer. */
    CompletableFuture<LogReader> openReader(StartPosition start);

    /** What the stream is now. */
    CompletableFuture<StreamStatus> status();
}
