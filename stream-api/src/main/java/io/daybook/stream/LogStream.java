// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.Optional;
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

    /**
     * Removes every record below {@code firstKept}; the record there and all after it stay (S11). It counts at once for everybody who opens a reader, also inside the
     * segment that is being written; a reader that is open below hands out at most what it has read ahead and then fails with {@link StreamException.Truncated}.
     * Space comes back by whole segments, oldest first; the newest segment that has records keeps its space until a newer one has some.
     *
     * @return the first position that is kept from now on: a truncation never goes back, so it may be above the one asked for
     * @throws StreamException.PositionBeyondEnd (in the future) when {@code firstKept} lies behind the end: records that are yet to come are not truncated
     */
    CompletableFuture<DLSN> truncate(DLSN firstKept);

    /** The record with which a reader that starts there would begin; empty when there is none yet. */
    CompletableFuture<Optional<PositionedRecord>> find(StartPosition start);

    /** The last record that is readable now; empty when there is none, or none that is not truncated. */
    CompletableFuture<Optional<PositionedRecord>> lastRecord();

    /**
     * Changes the options of the stream. The present writer uses them from its second next segment on at the latest, retention at once. Fails with
     * {@link StreamException.InvalidOptions} when the transaction id mode differs, which is fixed.
     */
    CompletableFuture<Void> changeOptions(StreamOptions options);

    /** What the stream is now. */
    CompletableFuture<StreamStatus> status();
}
