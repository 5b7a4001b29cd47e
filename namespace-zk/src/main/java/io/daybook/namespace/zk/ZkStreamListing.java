// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Lists the names of streams in order although they are spread over buckets: reads all buckets, keeps the lowest names that follow, and remembers those
 * beyond the page for a moment, so that whoever asks for page after page does not read all buckets for each.
 *
 * <p><i>Invariants:</i> what is remembered is never older than any first page that was given: whoever lists again and again never goes back in time (M7).
 *
 * <p><i>Threading:</i> any thread; what is remembered is guarded by this object's monitor.
 */
final class ZkStreamListing {
    private static final int AHEAD = 20_000;
    private static final long REMEMBER_NANOS = 5_000_000_000L;
    private static final int BUCKETS_AT_ONCE = 64;

    private final ZkSession session;
    private final ZkPaths paths;
    private Optional<Ahead> ahead = Optional.empty();
    private long newestNanos = System.nanoTime();

    ZkStreamListing(ZkSession session, ZkPaths paths) {
        this.session = session;
        this.paths = paths;
    }

    /** Names that follow a page. */
    private record Ahead(String prefix, String after, List<String> names, boolean isComplete, long readNanos) {}

    CompletableFuture<Page<String>> list(String prefix, String after, int countMax) {
        return session.run("the streams at " + session.address(), call -> {
            Optional<Ahead> known = takeAhead(prefix, after, countMax);
            CompletableFuture<Ahead> following = known.isPresent()
                    ? CompletableFuture.completedFuture(known.get())
                    : scan(call, prefix, after, countMax);
            return following.thenApply(names -> page(names, countMax));
        });
    }

    private synchronized Optional<Ahead> takeAhead(String prefix, String after, int countMax) {
        Optional<Ahead> fitting = ahead.filter(known -> known.prefix().equals(prefix)
                && known.after().equals(after)
                && (known.isComplete() || known.names().size() > countMax)
                && System.nanoTime() - known.readNanos() < REMEMBER_NANOS);
        if (fitting.isPresent()) {
            ahead = Optional.empty();
        }
        return fitting;
    }

    private Page<String> page(Ahead following, int countMax) {
        List<String> names = following.names();
        if (names.size() <= countMax) {
            // A scan that is not complete has more names than any page asked for.
            return new Page<>(names, true);
        }
        Page<String> page = new Page<>(names.subList(0, countMax), false);
        synchronized (this) {
            // A slow scan may end after one that was begun later.
            if (following.readNanos() - newestNanos >= 0) {
                newestNanos = following.readNanos();
                ahead = Optional.of(new Ahead(
                        following.prefix(),
                        names.get(countMax - 1),
                        names.subList(countMax, names.size()),
                        following.isComplete(),
                        following.readNanos()));
            }
        }
        return page;
    }

    private CompletableFuture<Ahead> scan(ZkCall call, String prefix, String after, int countMax) {
        long startNanos = System.nanoTime();
        return call.latest(paths.streams(), () -> {
            Scan scan = new Scan(call, prefix, after, (long) countMax + AHEAD);
            return call.children(paths.streams())
                    .thenCompose(answer -> scan.run(answer.getChildren() == null ? List.of() : answer.getChildren()))
                    .thenApply(done -> scan.result(startNanos));
        });
    }

    /** One reading of all buckets. */
    private final class Scan {
        private final ZkCall call;
        private final String prefix;
        private final String after;
        private final long limit;
        private final NavigableSet<String> lowest = new TreeSet<>(StreamNames.ORDER);
        private boolean isComplete = true;

        Scan(ZkCall call, String prefix, String after, long limit) {
            this.call = call;
            this.prefix = prefix;
            this.after = after;
            this.limit = limit;
        }

        CompletableFuture<Void> run(List<String> buckets) {
            Iterator<String> left = buckets.iterator();
            CompletableFuture<?>[] readers = new CompletableFuture<?>[BUCKETS_AT_ONCE];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = readOn(left);
            }
            return CompletableFuture.allOf(readers);
        }

        private CompletableFuture<Void> readOn(Iterator<String> left) {
            String bucket;
            synchronized (this) {
                if (!left.hasNext()) {
                    return CompletableFuture.completedFuture(null);
                }
                bucket = left.next();
            }
            return call.children(paths.streams() + '/' + bucket).thenCompose(answer -> {
                take(answer);
                return readOn(left);
            });
        }

        private synchronized void take(CuratorEvent answer) {
            if (ZkCall.code(answer) == Code.NONODE) {
                // Buckets are never removed: a listing that lost one must not look complete (M7).
                throw call.refusal(
                        MetadataException.Code.UNAVAILABLE, "cannot be listed: " + answer.getPath() + " is gone");
            }
            for (String child : answer.getChildren()) {
                String name = name(answer.getPath(), child);
                if (name.startsWith(prefix) && StreamNames.ORDER.compare(name, after) > 0) {
                    lowest.add(name);
                }
                if (lowest.size() > limit) {
                    lowest.pollLast();
                    isComplete = false;
                }
            }
        }

        private String name(String bucket, String child) {
            try {
                return ZkPaths.decoded(child);
            } catch (IllegalArgumentException foreign) {
                throw new MetadataException(
                        MetadataException.Code.UNREADABLE,
                        call.what() + " cannot be listed: " + bucket + '/' + child + " does not belong there",
                        foreign);
            }
        }

        synchronized Ahead result(long startNanos) {
            return new Ahead(prefix, after, List.copyOf(lowest), isComplete, startNanos);
        }
    }
}
