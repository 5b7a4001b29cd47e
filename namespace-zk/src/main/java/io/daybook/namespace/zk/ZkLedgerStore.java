// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Ledgers in ZooKeeper. A ledger is a node below the bucket of its id; the value of the bucket remembers which of its ids were deleted, one bit each,
 * and is checked or changed in the same step in which a ledger is created or deleted. So an id that was used once is refused for ever (L13), at a cost
 * of one small node for every 4,096 ids.
 */
final class ZkLedgerStore implements LedgerMetadataStore {
    private final ZkSession session;
    private final ZkWatches watches;
    private final ZkPaths paths;
    private final ZkLedgerListing listing;
    private final Deletions deletions;

    ZkLedgerStore(ZkSession session, ZkWatches watches) {
        this.session = session;
        this.watches = watches;
        this.paths = new ZkPaths(session.address().root());
        this.listing = new ZkLedgerListing(paths);
        this.deletions = new Deletions(session, paths);
    }

    private String what(long ledgerId) {
        return "ledger " + ledgerId + " at " + session.address();
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata ledger) {
        byte[] value = LedgerFormat.encode(ledger);
        return session.run(what(ledger.ledgerId()), call -> create(call, ledger, value));
    }

    private CompletableFuture<Versioned<LedgerMetadata>> create(ZkCall call, LedgerMetadata ledger, byte[] value) {
        String bucket = paths.ledgerBucket(ledger.ledgerId());
        return call.read(bucket).thenCompose(answer -> {
            call.requireTime();
            if (ZkCall.code(answer) == Code.NONODE) {
                return call.ensure(bucket, LedgerFormat.encodeBucket(new BitSet()))
                        .thenCompose(made -> create(call, ledger, value));
            }
            if (deleted(answer).get(ZkPaths.indexInBucket(ledger.ledgerId()))) {
                throw call.isUnknown() ? deletedMeanwhile(call) : taken(call);
            }
            List<CuratorOp> changes = new ZkOps(session.client())
                    .check(bucket, answer.getStat().getVersion())
                    .create(paths.ledger(ledger.ledgerId()), value)
                    .build();
            return call.changeAll(changes).thenCompose(created -> onCreation(call, ledger, value, created));
        });
    }

    private CompletableFuture<Versioned<LedgerMetadata>> onCreation(
            ZkCall call, LedgerMetadata ledger, byte[] value, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(new Versioned<>(ledger, 0));
            case NODEEXISTS ->
                call.isUnknown() ? settle(call, ledger, -1) : CompletableFuture.failedFuture(taken(call));
            case BADVERSION, NONODE -> create(call, ledger, value);
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    private static MetadataException taken(ZkCall call) {
        return call.refusal(MetadataException.Code.ALREADY_EXISTS, "cannot be created: its id is or was in use");
    }

    /** The bits of a bucket that was read. */
    private BitSet deleted(CuratorEvent answer) {
        return LedgerFormat.decodeBucket(
                answer.getData(), "the bucket " + answer.getPath() + " at " + session.address());
    }

    /**
     * Decides about a write of {@code ledger} whose outcome was lost and whose repetition was refused (M2). {@code version} is the one that it was to
     * replace, -1 for a creation. The next version decides for certain whose write it was; a later one no longer tells.
     */
    private CompletableFuture<Versioned<LedgerMetadata>> settle(ZkCall call, LedgerMetadata ledger, long version) {
        return call.readLatest(paths.ledger(ledger.ledgerId())).thenApply(answer -> {
            if (ZkCall.code(answer) == Code.NONODE) {
                throw deletedMeanwhile(call);
            }
            LedgerMetadata present = LedgerFormat.decode(answer.getData(), call.what());
            long presentVersion = answer.getStat().getVersion();
            if (present.token().equals(ledger.token())) {
                return new Versioned<>(ledger, presentVersion);
            }
            if (presentVersion > version + 1) {
                throw call.refusal(
                        MetadataException.Code.OUTCOME_UNKNOWN,
                        "was changed by others since; whether this write came before them is not known");
            }
            throw version < 0 ? taken(call) : conflict(call, version);
        });
    }

    private static MetadataException deletedMeanwhile(ZkCall call) {
        return call.refusal(MetadataException.Code.OUTCOME_UNKNOWN, "was deleted while it was written");
    }

    private static MetadataException conflict(ZkCall call, long version) {
        return call.refusal(MetadataException.Code.VERSION_CONFLICT, "no longer has version " + version);
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
        return session.run(
                what(ledgerId), call -> call.read(paths.ledger(ledgerId)).thenApply(answer -> ledger(call, answer)));
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
        return session.run(
                what(ledgerId),
                call -> call.readLatest(paths.ledger(ledgerId)).thenApply(answer -> ledger(call, answer)));
    }

    private static Versioned<LedgerMetadata> ledger(ZkCall call, CuratorEvent answer) {
        if (ZkCall.code(answer) == Code.NONODE) {
            throw missing(call);
        }
        return new Versioned<>(
                LedgerFormat.decode(answer.getData(), call.what()),
                answer.getStat().getVersion());
    }

    private static MetadataException missing(ZkCall call) {
        return call.refusal(MetadataException.Code.NOT_FOUND, "does not exist");
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata ledger, long version) {
        byte[] value = LedgerFormat.encode(ledger);
        // A negative version would mean "any" to ZooKeeper.
        boolean isPossible = version >= 0 && version < Integer.MAX_VALUE;
        return session.run(
                what(ledger.ledgerId()),
                call -> isPossible
                        ? call.replace(paths.ledger(ledger.ledgerId()), value, (int) version)
                                .thenCompose(answer -> onReplacement(call, ledger, version, answer))
                        : readLatestThenConflict(call, ledger.ledgerId(), version));
    }

    private CompletableFuture<Versioned<LedgerMetadata>> readLatestThenConflict(
            ZkCall call, long ledgerId, long version) {
        return call.readLatest(paths.ledger(ledgerId)).thenApply(answer -> {
            throw ZkCall.code(answer) == Code.NONODE ? missing(call) : conflict(call, version);
        });
    }

    private CompletableFuture<Versioned<LedgerMetadata>> onReplacement(
            ZkCall call, LedgerMetadata ledger, long version, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK ->
                CompletableFuture.completedFuture(
                        new Versioned<>(ledger, answer.getStat().getVersion()));
            case BADVERSION ->
                call.isUnknown()
                        ? settle(call, ledger, version)
                        : CompletableFuture.failedFuture(conflict(call, version));
            case NONODE -> CompletableFuture.failedFuture(missing(call));
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        return deletions.delete(ledgerId);
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("a page has room for " + countMax + " items: ask for at least 1");
        }
        return session.run(
                "the ledgers at " + session.address(),
                call -> listing.list(call, afterLedgerId, countMax + 1L).thenApply(ids -> page(ids, countMax)));
    }

    /** The first {@code countMax} of what follows. */
    static <T> Page<T> page(List<T> following, int countMax) {
        boolean isLast = following.size() <= countMax;
        return new Page<>(isLast ? following : new ArrayList<>(following.subList(0, countMax)), isLast);
    }

    @Override
    public Watch watch(long ledgerId, Runnable listener) {
        return watches.add(paths.ledger(ledgerId), AddWatchMode.PERSISTENT, listener);
    }

    /**
     * Deletes ledgers. Each deletion changes the bucket of its ledger as well, so that those of one bucket exclude each other: what this process is asked to delete meanwhile waits
     * and is deleted together, instead of competing.
     *
     * <p><i>Threading:</i> any thread; what waits is guarded by this object's monitor.
     */
    private static final class Deletions {
        /** Ledgers of one change: it stays far below what one request may hold. */
        private static final int TOGETHER_MAX = 500;

        private final ZkSession session;
        private final ZkPaths paths;
        private final Map<String, Queue<Waiting>> waiting = new HashMap<>();

        Deletions(ZkSession session, ZkPaths paths) {
            this.session = session;
            this.paths = paths;
        }

        private record Waiting(long ledgerId, CompletableFuture<Void> outcome) {}

        CompletableFuture<Void> delete(long ledgerId) {
            Waiting mine = new Waiting(ledgerId, new CompletableFuture<>());
            String bucket = paths.ledgerBucket(ledgerId);
            boolean isAlone;
            synchronized (this) {
                isAlone = !waiting.containsKey(bucket);
                waiting.computeIfAbsent(bucket, first -> new ArrayDeque<>()).add(mine);
            }
            if (isAlone) {
                deleteNext(bucket);
            }
            return mine.outcome();
        }

        /** Goes on until nothing waits for the bucket. */
        private void deleteNext(String bucket) {
            List<Waiting> together = take(bucket);
            if (together.isEmpty()) {
                return;
            }
            List<Long> ids = together.stream().map(Waiting::ledgerId).toList();
            String what = "ledger " + ids.get(0) + (ids.size() == 1 ? "" : " and " + (ids.size() - 1) + " more")
                    + " at " + session.address();
            session.run(what, call -> delete(call, bucket, ids)).whenComplete((done, failure) -> {
                for (Waiting deleted : together) {
                    if (failure == null) {
                        deleted.outcome().complete(null);
                    } else {
                        deleted.outcome().completeExceptionally(failure);
                    }
                }
                deleteNext(bucket);
            });
        }

        private synchronized List<Waiting> take(String bucket) {
            Queue<Waiting> all = waiting.getOrDefault(bucket, new ArrayDeque<>());
            List<Waiting> taken = new ArrayList<>();
            while (taken.size() < TOGETHER_MAX && !all.isEmpty()) {
                taken.add(all.remove());
            }
            if (taken.isEmpty()) {
                waiting.remove(bucket);
            }
            return taken;
        }

        private CompletableFuture<Void> delete(ZkCall call, String bucket, List<Long> ids) {
            return call.read(bucket).thenCompose(answer -> {
                call.requireTime();
                if (ZkCall.code(answer) == Code.NONODE) {
                    return deletePresent(call, bucket, ids);
                }
                BitSet deleted = LedgerFormat.decodeBucket(
                        answer.getData(), "the bucket " + answer.getPath() + " at " + session.address());
                // A bit is set in the change that deletes the ledger, and never cleared.
                List<Long> left = ids.stream()
                        .filter(id -> !deleted.get(ZkPaths.indexInBucket(id)))
                        .distinct()
                        .toList();
                if (left.isEmpty()) {
                    return CompletableFuture.completedFuture(null);
                }
                left.forEach(id -> deleted.set(ZkPaths.indexInBucket(id)));
                ZkOps changes = new ZkOps(session.client())
                        .replace(
                                bucket,
                                LedgerFormat.encodeBucket(deleted),
                                answer.getStat().getVersion());
                left.forEach(id -> changes.delete(paths.ledger(id)));
                return call.changeAll(changes.build()).thenCompose(done -> switch (ZkCall.code(done)) {
                    case OK -> CompletableFuture.completedFuture(null);
                    case NONODE -> deletePresent(call, bucket, left);
                    case BADVERSION -> delete(call, bucket, left);
                    default -> CompletableFuture.failedFuture(call.unexpected(done));
                });
            });
        }

        /** Begins again with those that are there for certain; the others need no deletion. */
        private CompletableFuture<Void> deletePresent(ZkCall call, String bucket, List<Long> ids) {
            return call.latest(bucket, () -> present(call, ids))
                    .thenCompose(present -> present.isEmpty()
                            ? CompletableFuture.completedFuture(null)
                            : delete(call, bucket, present));
        }

        private CompletableFuture<List<Long>> present(ZkCall call, List<Long> ids) {
            List<CompletableFuture<CuratorEvent>> reads =
                    ids.stream().map(id -> call.read(paths.ledger(id))).toList();
            return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                    .thenApply(done -> IntStream.range(0, ids.size())
                            .filter(i -> ZkCall.code(reads.get(i).join()) != Code.NONODE)
                            .mapToObj(ids::get)
                            .toList());
        }
    }
}
