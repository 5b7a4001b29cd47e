// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The writer of a stream. Records are stored in the order of the calls. It stops at its first failure: everything after fails too, and opening a new writer tells what
 * was kept ({@link #lastPosition}).
 */
public interface LogWriter extends AutoCloseable {
    /**
     * The stream.
     *
     * @return its name
     */
    String streamName();

    /**
     * Appends a record; completes with its position when it is durable on its ack quorum: from then on it is in the stream for good. Readers see it within
     * milliseconds, as soon as the news that it is acknowledged has reached the bookies with the next entry or, when none follows, by itself. When the writer
     * dies before that, they see it once the next writer has recovered the segment.
     *
     * <p>Fails with {@link StreamException.TransactionIdOutOfOrder} or {@link StreamException.RecordTooLarge} without harm to the writer; any other failure stops
     * it, and {@link StreamException#outcome} tells whether the record may be stored all the same.
     *
     * <p>When more than the allowed bytes (16 MiB, and as much again that the writer has yet to look at) are in flight, the call waits until some are acknowledged; on an internal thread it fails with
     * {@link StreamException.WriterBusy} instead, and so it does when its thread is interrupted while it waits; the thread stays interrupted.
     *
     * @param record copied by the call
     * @return its position, once it is durable
     */
    CompletableFuture<DLSN> append(LogRecord record);

    /**
     * Appends records as one: all or none are stored, with consecutive positions. Fails as {@link #append} does.
     *
     * @param records none is done at once, without a position; their total size is bounded by {@link LogRecord#PAYLOAD_BYTES_MAX}
     * @return their positions, in order, once they are durable
     */
    CompletableFuture<List<DLSN>> appendAtomically(List<LogRecord> records);

    /**
     * Blocking twin of {@link #append}.
     *
     * @param record copied by the call
     * @return its position
     * @throws IllegalStateException on an internal thread
     * @throws StreamException as {@link #append} fails
     */
    DLSN appendAndWait(LogRecord record);

    /**
     * Sends what lingers.
     *
     * @return the last acknowledged position ({@link DLSN#BEFORE_ALL} for an empty stream), when all appends called before have their outcome
     */
    CompletableFuture<DLSN> flush();

    /**
     * The last record of the stream that is known to be durable: right after opening, where the stream ends.
     *
     * @return its position, {@link DLSN#BEFORE_ALL} for none
     */
    DLSN lastPosition();

    /**
     * The transaction id of the record at {@link #lastPosition}.
     *
     * @return -1 for none
     */
    long lastTransactionId();

    /**
     * Ends the stream for ever, behind the records whose appends were called before; completes with the position of the last one ({@link DLSN#BEFORE_ALL} for none). Readers
     * get the end after it. From the call on this writer takes nothing more, and once it has completed nobody can append: appends and openings of writers fail with
     * {@link StreamException.EndOfStream}. A crash leaves the stream sealed or not, never in between. Idempotent; closes this writer.
     *
     * @return the position of the last record
     */
    CompletableFuture<DLSN> seal();

    /**
     * Flushes, then closes the open segment so that the next writer need not recover it, and gives the stream free: who opens a writer then, in whatever program, is
     * not told that it is owned (unless the metadata store could not be told in time). Idempotent.
     *
     * @return completes when done
     */
    CompletableFuture<Void> closeWriter();

    /**
     * Blocking form of {@link #closeWriter}.
     *
     * @throws IllegalStateException on an internal thread
     * @throws StreamException what that fails with
     */
    @Override
    void close();
}
