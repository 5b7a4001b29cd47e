// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.disk.CookieFile;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.RandomSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes empty directories those of a new bookie: a fresh id goes into a cookie in each directory, then into metadata.
 *
 * <p><i>States:</i> reading the cluster → writing the directories → adding the cookie to metadata. A crash in between is continued by formatting
 * again, with the same id; a bookie that is in metadata already is only confirmed.
 *
 * <p><i>Threading:</i> a storage loop of its own.
 */
public final class BookieFormat {
    private final BookieConfig config;
    private final Host host;
    private final MetadataStores stores;
    private final EventLoop loop;
    private final CompletableFuture<BookieCookie> result = new CompletableFuture<>();
    private @Nullable Directories held;

    private BookieFormat(BookieConfig config, Host host, MetadataStores stores) {
        this.config = config;
        this.host = host;
        this.stores = stores;
        this.loop = host.newLoop("bookie-format", Host.LoopKind.STORAGE);
    }

    /** Formats; fails with {@link BookieStartException}. */
    public static CompletableFuture<BookieCookie> format(BookieConfig config, Host host, MetadataStores stores) {
        BookieFormat format = new BookieFormat(config, host, stores);
        format.loop.execute(() -> format.step(format::begin));
        return format.result;
    }

    /** Runs one step; what it throws ends the formatting. */
    private void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | VirtualMachineError | LinkageError thrown) {
            fail(BookieStartException.of("format", thrown));
        }
    }

    private void begin() {
        loop.resume(
                stores.cluster().read(),
                (cluster, failure) -> step(() -> {
                    if (cluster == null) {
                        throw MetadataFailures.of("read the cluster", failure);
                    }
                    lookAtDirectories(cluster);
                }));
    }

    private void lookAtDirectories(ClusterInfo cluster) {
        Directories directories = Directories.open(config, host, true);
        held = directories;
        CookieFile found = anyCookie(directories);
        if (found == null) {
            write(directories, freshCookie(cluster, directories.roles()), false);
            return;
        }
        BookieCookie cookie = found.cookie();
        if (!cookie.clusterId().equals(cluster.clusterId())) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "the directories belong to bookie " + cookie.bookieId() + " of cluster " + cookie.clusterId()
                            + ", not of " + cluster.clusterId() + ": a new bookie needs empty directories");
        }
        loop.resume(
                stores.bookies().cookie(cookie.bookieId()),
                (stored, failure) -> step(() -> {
                    if (stored != null) {
                        confirm(directories, cluster, stored);
                    } else if (MetadataFailures.isNotFound(failure)) {
                        write(directories, cookie, true);
                    } else {
                        throw MetadataFailures.of("read the cookie of bookie " + cookie.bookieId(), failure);
                    }
                }));
    }

    /** A cookie of one of the directories; refuses directories without one that hold anything. */
    private static @Nullable CookieFile anyCookie(Directories directories) {
        CookieFile any = null;
        for (Directories.Directory directory : directories.all()) {
            CookieFile file = directory.cookie();
            if (file == null && !isEmptyButForLeftovers(directory)) {
                throw new BookieStartException(
                        ExitCode.IDENTITY,
                        "the directory " + directory.path() + " (" + directory.role()
                                + ") is not empty: a new bookie needs an empty one");
            }
            any = file == null ? any : file;
        }
        return any;
    }

    /** A crashed format may leave the first mark or an unfinished file. */
    private static boolean isEmptyButForLeftovers(Directories.Directory directory) {
        for (String name : directory.content()) {
            if (!name.equals("checkpoint") && !name.endsWith(".tmp")) {
                return false;
            }
        }
        return true;
    }

    private BookieCookie freshCookie(ClusterInfo cluster, List<String> roles) {
        // The name differs each time: directories that were wiped and are formatted again are another bookie.
        RandomSource random = host.random()
                .fork("bookie-id " + String.join(",", config.journalDirectories()) + ' ' + loop.nanoTime() + ' '
                        + loop.wallMillis());
        BookieId bookieId = new BookieId(random.nextLong(), random.nextLong());
        return new BookieCookie(cluster.clusterId(), bookieId, config.name(), roles, loop.wallMillis());
    }

    /** It is in metadata already: nothing may be written any more. */
    private void confirm(Directories directories, ClusterInfo cluster, BookieCookie stored) {
        Identity.check(Identity.agreed(directories), cluster.clusterId(), stored);
        end();
        result.complete(stored);
    }

    private void write(Directories directories, BookieCookie cookie, boolean continued) {
        if (continued) {
            requireSame(directories, cookie);
        }
        for (Directories.Directory directory : directories.all()) {
            new CookieFile(cookie, directory.role()).write(directory.disk());
        }
        Checkpoint.format(directories.disks(), cookie.bookieId(), directories.journalCount());
        loop.resume(
                stores.bookies().addCookie(cookie),
                (done, failure) -> step(() -> {
                    if (failure != null) {
                        throw MetadataFailures.of("store the cookie of bookie " + cookie.bookieId(), failure);
                    }
                    end();
                    result.complete(cookie);
                }));
    }

    /** Continues an interrupted format only if every cookie that is there is the same one, of this cluster, in its place. */
    private void requireSame(Directories directories, BookieCookie cookie) {
        if (!cookie.directories().equals(directories.roles())) {
            throw new BookieStartException(
                    ExitCode.IDENTITY,
                    "the formatting of bookie " + cookie.bookieId() + " was begun with "
                            + String.join(", ", cookie.directories()) + " but now "
                            + String.join(", ", directories.roles())
                            + " are named: name the same set, or empty directories for a new bookie");
        }
        for (Directories.Directory directory : directories.all()) {
            CookieFile file = directory.cookie();
            boolean used = directory.disk().exists("journal-0000.ring");
            if (used
                    || (file != null
                            && !(file.cookie().equals(cookie) && file.role().equals(directory.role())))) {
                throw new BookieStartException(
                        ExitCode.IDENTITY,
                        "the directory " + directory.path() + " (" + directory.role()
                                + ") belongs to a bookie that this namespace does not know: a new bookie needs empty"
                                + " directories");
            }
        }
    }

    /** Gives everything back. */
    private void end() {
        if (held != null) {
            held.close();
        }
        loop.close();
    }

    private void fail(BookieStartException failure) {
        try {
            end();
        } finally {
            result.completeExceptionally(failure);
        }
    }

    /** What a failure of the metadata store means for somebody who starts a bookie. */
    static final class MetadataFailures {
        private MetadataFailures() {}

        static boolean isNotFound(@Nullable Throwable failure) {
            return failure instanceof MetadataException metadata && metadata.code() == MetadataException.Code.NOT_FOUND;
        }

        static BookieStartException of(String what, @Nullable Throwable failure) {
            if (isNotFound(failure)) {
                return new BookieStartException(
                        ExitCode.METADATA,
                        "cannot " + what + ": there is none in this namespace; run 'cluster init' first, or name"
                                + " the right namespace",
                        failure);
            }
            return new BookieStartException(
                    ExitCode.METADATA,
                    "cannot " + what + ": " + (failure == null ? "no answer" : failure.getMessage()),
                    failure);
        }
    }
}
