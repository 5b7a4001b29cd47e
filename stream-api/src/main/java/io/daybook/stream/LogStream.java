// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.concurrent.CompletableFuture;

/** A named stream: one total order of records. A handle costs nothing to keep. */
public interface LogStream {
    /** The name. */
    String name();

    /**
     * Becomes the one writer of the stream, taking it over from whoever was: the old writer is fenced and can never add a record again, its unfinished segment is
     * recovered with every acknowledged record.
     */
    CompletableFuture<LogWriter> openWriter();

    /** Opens a reader. Any number of readers may read a stream; none disturbs the writer. */
    CompletableFuture<LogReader> openReader(StartPosition start);

    /** What the stream is now. */
    CompletableFuture<StreamStatus> status();
}
