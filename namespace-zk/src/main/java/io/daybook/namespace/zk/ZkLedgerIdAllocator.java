// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.format.LedgerFormat.LedgerIds;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Ledger ids from a counter in ZooKeeper, taken in blocks that double while they are used up. An id is the counter's epoch above 40 bits of number. A
 * block whose outcome is unknown is never used: ids may be skipped, not given twice (L13).
 *
 * <p><i>Threading:</i> any thread; the ids at hand and the queue of those who wait are guarded by this object's monitor, which is never held while
 * futures complete.
 */
final class ZkLedgerIdAllocator implements LedgerIdAllocator {
    private static final int NUMBER_BITS = 40;
    private static final long BLOCK_MAX = 256;

    private final ZkSession session;
    private final String path;
    private final Queue<CompletableFuture<Long>> waiting = new ArrayDeque<>();
    private long next;
    private long end;
    private long blockSize = 1;
    private boolean isFetching;

    ZkLedgerIdAllocator(ZkSession session) {
        this.session = session;
        this.path = new ZkPaths(session.address().root()).ledgerIds();
    }

    @Override
    public CompletableFuture<Long> next() {
        return session.run("the counter of ledger ids at " + session.address(), call -> take(call));
    }

    private CompletableFuture<Long> take(ZkCall call) {
        CompletableFuture<Long> taken = new CompletableFuture<>();
        long block;
        synchronized (this) {
            if (next < end) {
                return CompletableFuture.completedFuture(next++);
            }
            waiting.add(taken);
            if (isFetching) {
                return taken;
            }
            isFetching = true;
            block = growBlock();
        }
        fetch(call, block);
        return taken;
    }

    /** The size of the next block: twice the last one, and enough for all who wait. */
    private long growBlock() {
        blockSize = Math.min(BLOCK_MAX, Math.max(2 * blockSize, waiting.size()));
        return blockSize;
    }

    private void fetch(ZkCall call, long block) {
        reserve(call, block).whenComplete((first, failure) -> {
            if (failure == null) {
                onBlock(first, first + block);
            } else {
                onFailure(failure);
            }
        });
    }

    private void onBlock(long first, long blockEnd) {
        List<Runnable> answers = new ArrayList<>();
        boolean isMoreWanted;
        long block = 0;
        synchronized (this) {
            next = first;
            end = blockEnd;
            while (next < end && !waiting.isEmpty()) {
                long id = next++;
                CompletableFuture<Long> taken = waiting.remove();
                answers.add(() -> taken.complete(id));
            }
            isMoreWanted = !waiting.isEmpty();
            isFetching = isMoreWanted;
            if (isMoreWanted) {
                block = growBlock();
            }
        }
        answers.forEach(Runnable::run);
        if (isMoreWanted) {
            fetch(new ZkCall(session, "the counter of ledger ids at " + session.address()), block);
        }
    }

    private void onFailure(Throwable failure) {
        List<CompletableFuture<Long>> failed;
        synchronized (this) {
            failed = new ArrayList<>(waiting);
            waiting.clear();
            isFetching = false;
        }
        failed.forEach(taken -> taken.completeExceptionally(failure));
    }

    /** The first id of a block that is nobody else's. */
    private CompletableFuture<Long> reserve(ZkCall call, long block) {
        return call.read(path).thenCompose(answer -> {
            call.requireTime();
            if (ZkCall.code(answer) == Code.NONODE) {
                LedgerIds none = new LedgerIds(0, 0, session.newToken());
                return call.ensure(new ZkPaths(session.address().root()).root())
                        .thenCompose(above -> call.create(path, value(none, block), CreateMode.PERSISTENT))
                        .thenCompose(created -> onWritten(call, block, none, created));
            }
            LedgerIds present = LedgerFormat.decodeIds(answer.getData(), call.what());
            LedgerIds start = present.next() + block < 1L << NUMBER_BITS
                    ? present
                    : new LedgerIds(present.epoch() + 1, 0, present.token());
            return call.replace(path, value(start, block), answer.getStat().getVersion())
                    .thenCompose(replaced -> onWritten(call, block, start, replaced));
        });
    }

    private byte[] value(LedgerIds start, long block) {
        return LedgerFormat.encodeIds(new LedgerIds(start.epoch(), start.next() + block, session.newToken()));
    }

    private CompletableFuture<Long> onWritten(ZkCall call, long block, LedgerIds start, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(((long) start.epoch() << NUMBER_BITS) + start.next());
            case BADVERSION, NODEEXISTS, NONODE -> reserve(call, block);
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }
}
