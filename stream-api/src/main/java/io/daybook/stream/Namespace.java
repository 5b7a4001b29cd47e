// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * The named streams of one cluster.
 *
 * <p><i>Threading:</i> all methods of this package may be called from any thread. Methods that return a future never block; futures complete on an
 * internal thread, so what is attached to them must not block (blocking calls of this package refuse to run there with
 * {@link IllegalStateException}). Futures fail with {@link StreamException} only, but for the reading calls of a {@link LogReader} that has a
 * subscriber; arguments that can never be right are refused with {@link IllegalArgumentException} by the call itself.
 */
public interface Namespace extends AutoCloseable {
    /**
     * Connects to the namespace behind a URI: {@code zk://host:port,host:port/path}. Blocks until the metadata store answers, at most 10 seconds.
     *
     * @param uri of that form
     * @return to be closed when it is not needed any more
     * @throws StreamException.Unavailable when nothing answers, naming the address
     * @throws IllegalArgumentException when the URI is not of that form
     */
    static Namespace open(String uri) {
        return open(uri, new byte[0]);
    }

    /**
     * As {@link #open(String)}, with the key of streams whose entries have an HMAC ({@link StreamOptions.Digest#HMAC_SHA256}). Whoever writes or reads such a stream must have it;
     * it is kept nowhere, and without it, and without a copy of it, the records are lost. Streams of {@link StreamOptions.Digest#CRC32C} need none.
     *
     * @param uri as there
     * @param digestKey at least 16 bytes, copied; empty for none
     * @return to be closed when it is not needed any more
     * @throws StreamException.Unavailable when nothing answers, naming the address
     * @throws IllegalArgumentException when the URI is not of that form, or the key has 1 to 15 bytes
     */
    static Namespace open(String uri, byte[] digestKey) {
        URI parsed;
        try {
            parsed = URI.create(uri);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "'" + uri + "' is not a namespace URI: use zk://host:port/path", malformed);
        }
        return ServiceLoader.load(NamespaceProvider.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no implementation of Daybook streams on the class path: add daybook-stream-core"))
                .open(parsed, digestKey);
    }

    /**
     * Opens a stream, creating it with default options where the mode says so. Fails as {@link #openStream(String, OpenMode, StreamOptions)} does.
     *
     * @param name as there
     * @param mode whether it must exist
     * @return the stream
     */
    default CompletableFuture<LogStream> openStream(String name, OpenMode mode) {
        return openStream(name, mode, StreamOptions.DEFAULT);
    }

    /**
     * Opens a stream, creating it with {@code options} where the mode says so (an existing stream keeps its own).
     *
     * @param name 1 to 255 characters of letters, digits and {@code . _ - /}, beginning with a letter or digit, no {@code //}, not ending in {@code /}
     * @param mode whether it must exist
     * @param options of a stream that is created
     * @return the stream; fails with {@link StreamException.StreamNotFound}, {@link StreamException.StreamExists} or {@link StreamException.InvalidName}
     */
    CompletableFuture<LogStream> openStream(String name, OpenMode mode, StreamOptions options);

    /**
     * Whether a stream of that name exists. One that is being deleted does not, though its name is taken, and listed, until that is finished.
     *
     * @param name of the stream
     * @return true when it does
     */
    CompletableFuture<Boolean> exists(String name);

    /**
     * Deletes a stream with all its records. A deletion that was cut short is taken up and finished by the next call.
     *
     * @param name of the stream
     * @return completes when nothing of it is left; fails with {@link StreamException.StreamNotFound}, or {@link StreamException.StreamRenamed} when a rename was faster
     */
    CompletableFuture<Void> delete(String name);

    /**
     * Gives a stream another name, as {@link #rename(String, String, WriterOptions)} does when it waits up to 30 seconds for a writer to end.
     *
     * @param name of the stream
     * @param newName as there
     * @return as there
     */
    default CompletableFuture<Renamed> rename(String name, String newName) {
        return rename(name, newName, WriterOptions.DEFAULT);
    }

    /**
     * Gives a stream another name. Its records, options, subscriptions and its end, if it is sealed, go along; the old name is free at once. A rename is made in one step: one that
     * was cut short happened or did not. As an opened writer does it becomes the owner of the stream first, and recovers what was acknowledged: an owner that is taken over stops.
     *
     * <p>Writers and readers that were opened under the old name end with {@link StreamException.StreamRenamed}, which translates their positions, at the latest with their next
     * look at the metadata; what is opened under it afterwards fails with {@link StreamException.StreamNotFound}, or is another stream.
     *
     * <p>A position of a name means one record for ever: when streams of the new name, or of its neighbourhood, were deleted or renamed before, the numbers of all segments rise by
     * one and the same, which the answer tells. Subscriptions stand where they stood.
     *
     * @param name of the stream
     * @param newName by the same rule as for a stream that is created, and of no other stream
     * @param ownership what to do when a writer owns the stream, how long to wait for it, and a label; how records are gathered means nothing here
     * @return how positions under the old name are told under the new one; fails with {@link StreamException.StreamNotFound}, {@link StreamException.StreamExists} when the new name is
     *     taken, {@link StreamException.InvalidName} also when both are the same, {@link StreamException.StreamOwned}, {@link StreamException.StreamRenamed} when another rename was
     *     faster, {@link StreamException.StreamNotFound} also when a deletion was, {@link StreamException.WrongKey} as an opened writer does, or {@link StreamException.InvalidOptions} for a stream that was made before streams could be renamed.
     *     After {@link StreamException.Unavailable} it may have happened: look under both names, or call it again
     */
    CompletableFuture<Renamed> rename(String name, String newName, WriterOptions ownership);

    /**
     * A page of the names that begin with a prefix, in the order of their UTF-8 bytes. A name is listed, and watched, as long as it is taken: also that of a stream whose deletion
     * was cut short, until a maintainer, or whoever deletes or creates it, has finished that. Opening such a stream says that it is being deleted.
     *
     * @param prefix empty for all streams
     * @param afterName the last name of the page before, empty for the first page
     * @param countMax 1 to 1000 names
     * @return the page
     * @throws IllegalArgumentException when the count is outside of its range
     */
    CompletableFuture<NamePage> list(String prefix, String afterName, int countMax);

    /**
     * Tells each subscriber which streams there are whose names begin with {@code prefix}, and then which come and go: as it asks for changes, in the order of names within one look.
     * The streams are listed anew {@code interval} after each listing, which reads the names of the whole namespace: choose an interval that the metadata store can bear.
     *
     * <p>A change is told within the interval and the time of one listing, when the subscriber takes what was told before. A stream that is made and deleted between two
     * looks is not told of, nor one that is deleted and made again. A subscriber whose watch fails, or whose namespace is closed, is told so by {@code onError} with a
     * {@link StreamException}, and may subscribe anew. Subscribers are called on an internal thread; any number may subscribe. A watch keeps the names in memory.
     *
     * @param prefix empty for all streams
     * @param interval 10 milliseconds to 1 day
     * @return what is subscribed to; nothing is looked at before
     * @throws IllegalArgumentException when the interval is outside of its range
     */
    Flow.Publisher<Change> watch(String prefix, Duration interval);

    /** Closes all writers and readers of this instance and gives back threads and links. Idempotent; blocks until done, at most some seconds. */
    @Override
    void close();

    /**
     * Part of a listing of streams.
     *
     * @param names in order
     * @param isLast whether nothing follows; otherwise ask again with the last name
     */
    record NamePage(List<String> names, boolean isLast) {
        /**
         * Copies the list.
         *
         * @param names in order
         * @param isLast whether nothing follows
         */
        public NamePage {
            names = List.copyOf(names);
        }
    }

    /**
     * A stream that has another name.
     *
     * @param name the new one
     * @param segmentShift what is added to the segment of a position under the old name, 0 or more
     */
    record Renamed(String name, long segmentShift) {
        /**
         * The same position under the new name.
         *
         * @param old under the old name
         * @return where the record is found now
         */
        public DLSN position(DLSN old) {
            return old.segment() == 0 ? old : new DLSN(old.segment() + segmentShift, old.entry(), old.slot());
        }
    }

    /**
     * What a watch tells of one stream.
     *
     * @param kind what is so now
     * @param name the stream
     */
    record Change(Kind kind, String name) {
        /** What is told of a stream. */
        public enum Kind {
            /** It was there when the watch began. */
            PRESENT,
            /** It was made since the watch looked before. */
            CREATED,
            /** It was there and is not any more. */
            DELETED
        }
    }
}
