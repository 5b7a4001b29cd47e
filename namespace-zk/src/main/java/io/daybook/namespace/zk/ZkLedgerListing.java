// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.namespace.zk.session.ZkCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Walks the tree of ledger ids in order, reading only the buckets that a page needs. Buckets are never removed, so one that was listed and is gone means
 * that somebody meddles with the tree: the walk fails rather than look complete (M7).
 */
final class ZkLedgerListing {
    private static final int HEX = 16;

    private final ZkPaths paths;

    ZkLedgerListing(ZkPaths paths) {
        this.paths = paths;
    }

    /** Up to {@code limit} ids above {@code after}, rising. */
    CompletableFuture<List<Long>> list(ZkCall call, long after, long limit) {
        return call.latest(paths.ledgers(), () -> {
            Walk walk = new Walk(call, after, limit);
            return walk.below(paths.ledgers(), 0, 0).thenApply(done -> walk.found);
        });
    }

    /** One walk. */
    private static final class Walk {
        private final ZkCall call;
        private final long after;
        private final long limit;
        private final List<Long> found = new ArrayList<>();

        Walk(ZkCall call, long after, long limit) {
            this.call = call;
            this.after = after;
            this.limit = limit;
        }

        /** Visits what is below the node at {@code path}, whose ids begin with the digits {@code prefix}. */
        CompletableFuture<Void> below(String path, int level, long prefix) {
            return call.children(path).thenCompose(answer -> {
                if (ZkCall.code(answer) == Code.NONODE && level > 0) {
                    throw call.refusal(MetadataException.Code.UNAVAILABLE, "cannot be listed: " + path + " is gone");
                }
                return children(path, level, prefix, sortedChildren(answer), 0);
            });
        }

        private static List<String> sortedChildren(CuratorEvent answer) {
            // All names of one level have the same number of digits, so their order is that of the numbers.
            List<String> children = new ArrayList<>(answer.getChildren() == null ? List.of() : answer.getChildren());
            Collections.sort(children);
            return children;
        }

        private CompletableFuture<Void> children(
                String path, int level, long prefix, List<String> children, int index) {
            for (int i = index; i < children.size() && found.size() < limit; i++) {
                long id = (prefix << ZkPaths.LEDGER_LEVEL_BITS) | number(path, children.get(i));
                int levelsBelow = ZkPaths.LEDGER_LEVELS - level;
                long last = lastBelow(id, levelsBelow);
                if (last > after && levelsBelow == 0) {
                    found.add(id);
                } else if (last > after) {
                    int next = i + 1;
                    return below(path + '/' + children.get(i), level + 1, id)
                            .thenCompose(done -> children(path, level, prefix, children, next));
                }
            }
            return CompletableFuture.completedFuture(null);
        }

        private long number(String path, String child) {
            try {
                return Long.parseLong(child, HEX);
            } catch (NumberFormatException foreign) {
                throw new MetadataException(
                        MetadataException.Code.UNREADABLE,
                        call.what() + " cannot be listed: " + path + '/' + child + " does not belong there",
                        foreign);
            }
        }

        private static long lastBelow(long id, int levels) {
            int bits = levels * ZkPaths.LEDGER_LEVEL_BITS;
            return (id << bits) | ((1L << bits) - 1);
        }
    }
}
