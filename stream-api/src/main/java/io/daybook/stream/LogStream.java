// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A named stream: one total order of records. A handle costs nothing to keep. It is of the one stream that was opened: every call on it, and on its subscriptions, fails with
 * {@link StreamException.StreamNotFound} when that was deleted and with {@link StreamException.StreamRenamed} when it has another name now, also when another stream has its name (S14).
 */
public interface LogStream {
    /**
     * The name.
     *
     * @return that under which it was opened
     */
    String name();

    /**
     * As {@link #openWriter(WriterOptions)} with {@link WriterOptions#DEFAULT}: waits up to 30 seconds for another owner to end.
     *
     * @return the writer
     */
    default CompletableFuture<LogWriter> openWriter() {
        return openWriter(WriterOptions.DEFAULT);
    }

    /**
     * Becomes the one writer of the stream, also within this process. An unfinished segment of a writer before is recovered with every acknowledged record, and that
     * writer, should it still live, is fenced: it can never add a record again.
     *
     * <p>Fails with {@link StreamException.StreamOwned} when another writer owns the stream and the options do not say to take it over, with
     * {@link StreamException.EndOfStream} when the stream is sealed, {@link StreamException.StreamNotFound} and {@link StreamException.StreamRenamed} when it is gone,
     * {@link StreamException.WrongKey} when its entries have an HMAC and the namespace was opened with another key or none, {@link StreamException.Corrupt} when a segment
     * cannot be recovered for good, and {@link StreamException.Unavailable} when too few bookies or no metadata store can be reached.
     *
     * <p>Only the wait for another owner has a deadline. Taking over takes as long as the metadata store and the bookies need: each call of them is bounded by the time-outs of the
     * client, and others who take the stream at the same moment are met again at most 20 times. Whoever bounds the future itself closes the writer that it gives later.
     *
     * @param options what to do when another one owns the stream, and how records are gathered
     * @return the writer
     */
    CompletableFuture<LogWriter> openWriter(WriterOptions options);

    /**
     * Opens a reader. Any number of readers may read a stream; none disturbs the writer.
     *
     * @param start where it begins
     * @return the reader; fails with {@link StreamException.Truncated}, {@link StreamException.ForeignPosition} or {@link StreamException.SubscriptionNotFound} as {@code start}
     *     says, and {@link StreamException.StreamNotFound}
     */
    CompletableFuture<LogReader> openReader(StartPosition start);

    /**
     * Removes every record below {@code firstKept}; the record there and all after it stay (S11). It counts at once for everybody who opens a reader, also inside the
     * segment that is being written; a reader that is open below hands out at most what it has read ahead and then fails with {@link StreamException.Truncated}.
     * Space comes back by whole segments, oldest first; the newest segment that has records keeps its space until a newer one has some.
     *
     * @param firstKept the position of the first record that stays
     * @return the first position that is kept from now on: a truncation never goes back, so it may be above the one asked for
     * @throws StreamException.PositionBeyondEnd (in the future) when {@code firstKept} lies behind the end: records that are yet to come are not truncated
     * @throws StreamException.ForeignPosition (in the future) when {@code firstKept} is of a stream that had the name before
     */
    CompletableFuture<DLSN> truncate(DLSN firstKept);

    /**
     * The record with which a reader that starts there would begin.
     *
     * @param start the place; fails as {@link #openReader} does
     * @return empty when there is none yet
     */
    CompletableFuture<Optional<PositionedRecord>> find(StartPosition start);

    /**
     * The last record that is readable now.
     *
     * @return empty when there is none, or none that is not truncated
     */
    CompletableFuture<Optional<PositionedRecord>> lastRecord();

    /**
     * Changes the options of the stream. The present writer uses them from its second next segment on at the latest, retention at once. Fails with
     * {@link StreamException.InvalidOptions} when the transaction id mode differs, which is fixed.
     *
     * @param options all of them
     * @return completes when they are stored
     */
    CompletableFuture<Void> changeOptions(StreamOptions options);

    /**
     * What the stream is now.
     *
     * @return as of some moment during the call
     */
    CompletableFuture<StreamStatus> status();

    /**
     * The named positions that are kept with the stream.
     *
     * @return a handle that costs nothing
     */
    Subscriptions subscriptions();

    /**
     * Named positions of readers, kept with the stream and deleted with it. A position says what is to be read next, so that whoever goes on there gets no record twice
     * that was done, and misses none. Truncation does not move it: a reader that starts at a truncated one is told so.
     */
    interface Subscriptions {
        /**
         * Makes one whose next record is the first one at {@code start}. Fails with {@link StreamException.SubscriptionExists}, and as
         * {@link LogStream#openReader} does.
         *
         * @param id as the name of a stream
         * @param start where it begins
         * @return the subscription
         */
        CompletableFuture<Subscription> create(String id, StartPosition start);

        /**
         * What is known of one.
         *
         * @param id of the subscription
         * @return as it stands; fails with {@link StreamException.SubscriptionNotFound}
         */
        CompletableFuture<Subscription> find(String id);

        /**
         * A page of subscriptions, in the order of their ids.
         *
         * @param afterId the last id of the page before, empty for the first page
         * @param countMax 1 to 1000
         * @return fewer than {@code countMax} only on the last page
         * @throws IllegalArgumentException when the count is outside of its range
         */
        CompletableFuture<List<Subscription>> list(String afterId, int countMax);

        /**
         * Moves one, forward or back, if it is still as {@code expected}. Fails with {@link StreamException.SubscriptionChanged} when somebody has moved or taken it
         * meanwhile, with {@link StreamException.SubscriptionNotFound}, and with {@link StreamException.ForeignPosition}.
         *
         * @param expected as it was found
         * @param next the position that is to be read next
         * @return as it stands now
         */
        CompletableFuture<Subscription> set(Subscription expected, DLSN next);

        /**
         * Deletes one.
         *
         * @param id of the subscription
         * @return completes when it is gone; fails with {@link StreamException.SubscriptionNotFound}
         */
        CompletableFuture<Void> delete(String id);

        /**
         * Opens the one reader of a subscription, where it stands. Fails with {@link StreamException.SubscriptionInUse} when another one, of this or another program, has
         * it, unless {@code takeOver} says to take it from there: then that one can commit nothing any more.
         *
         * @param id of the subscription
         * @param takeOver whether it is taken from a reader that has it
         * @return the reader; fails also as {@link LogStream#openReader} does
         */
        CompletableFuture<ExclusiveReader> openReader(String id, boolean takeOver);
    }

    /**
     * A named position as it was at one moment.
     *
     * @param id its name
     * @param next the position that is to be read next
     * @param epoch how often an exclusive reader has taken it
     * @param reader a label of the present or last exclusive reader, empty for none
     * @param created when it was made
     * @param changed when it was last moved or taken
     * @param version tells it from what it was before and will be later
     */
    record Subscription(
            String id, DLSN next, long epoch, String reader, Instant created, Instant changed, long version) {}

    /**
     * The one reader of a subscription. When another one takes the subscription, or its session with the metadata store ends, it hands out no more and fails with
     * {@link StreamException.SubscriptionChanged}, which tells who has the subscription.
     */
    interface ExclusiveReader extends AutoCloseable {
        /**
         * Reads from where the subscription stands.
         *
         * @return closed with this
         */
        LogReader reader();

        /**
         * Says that everything up to and with the record at {@code done} is done: the subscription stands after it. Calls are carried out in their order. Fails with
         * {@link StreamException.SubscriptionChanged} when it is another's now, or was moved by {@link Subscriptions#set}; after
         * {@link StreamException.Unavailable} it may stand there or where it stood, and a later call goes on. {@link StreamException.StreamRenamed} tells where its stream, and the
         * subscription with it, is now.
         *
         * @param done the position of the last record that is done
         * @return as the subscription stands now
         */
        CompletableFuture<Subscription> commit(DLSN done);

        /**
         * Closes the reader and gives the subscription back, in the background: who opens it at the same moment may still get
         * {@link StreamException.SubscriptionInUse}, which is retryable. Idempotent.
         */
        @Override
        void close();
    }
}
