// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Watch;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that this process took: a node of its session with a value of its own. A watch tells when the node changes, which is told again whenever the connection is back;
 * a slow poll stands behind it (M4).
 *
 * <p><i>States:</i> held, then lost or released. <i>Threading:</i> any thread.
 */
final class ZkHold implements LockStore.Hold {
    private static final Logger LOG = LoggerFactory.getLogger(ZkHold.class);

    /** Programs may hold many thousands of locks, so that each is looked at rarely. */
    private static final long POLL_MILLIS = 60_000;

    private static final long WITHDRAWAL_PAUSE_MILLIS = 500;

    private final ZkSession session;
    private final ZkWatches watches;
    private final String path;
    private final byte[] value;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Watch watch = () -> {};

    ZkHold(ZkSession session, ZkWatches watches, String path, byte[] value) {
        this.session = session;
        this.watches = watches;
        this.path = path;
        this.value = value;
    }

    String path() {
        return path;
    }

    byte[] value() {
        return value;
    }

    /** Whether the node that was read is this hold's: values carry a token. */
    boolean isOwn(CuratorEvent read) {
        return Arrays.equals(read.getData(), value);
    }

    /** The lock was taken: looks after it from now on. */
    LockStore.Hold begun() {
        watch = watches.add(path, AddWatchMode.PERSISTENT, this::check);
        // The node may have gone before the watch was there.
        check();
        poll();
        return this;
    }

    private void poll() {
        session.schedule(
                () -> {
                    if (!isOver.get()) {
                        check();
                        poll();
                    }
                },
                POLL_MILLIS);
    }

    private void check() {
        if (isOver.get()) {
            return;
        }
        session.run("the lock at " + path, call -> call.readLatest(path)).whenComplete((read, failure) -> {
            if (failure != null) {
                LOG.debug("path={} lock not looked at", path, failure);
            } else if (!isOwn(read) && isOver.compareAndSet(false, true)) {
                watch.close();
                lost.complete(null);
            }
        });
    }

    @Override
    public CompletableFuture<Void> lost() {
        return lost.copy();
    }

    @Override
    public CompletableFuture<Void> release() {
        boolean isFirst = isOver.compareAndSet(false, true);
        watch.close();
        return isFirst ? withdraw() : CompletableFuture.completedFuture(null);
    }

    /**
     * Sees to it that the lock is not this hold's, also when whoever asked for it was not told that it is. Fails when the store does not answer in time, and then goes on in
     * the background: a lock that nobody looks after would keep everybody else out as long as the session lasts.
     */
    CompletableFuture<Void> withdraw() {
        isOver.set(true);
        if (session.isClosed()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> removal = session.run("the lock at " + path, this::remove);
        removal.whenComplete((removed, failure) -> {
            if (failure instanceof MetadataException refused && refused.isRetryable()) {
                session.schedule(this::withdraw, WITHDRAWAL_PAUSE_MILLIS);
            }
        });
        return removal;
    }

    private CompletableFuture<Void> remove(ZkCall call) {
        call.requireTime();
        return call.readLatest(path).thenCompose(read -> {
            if (ZkCall.code(read) == Code.NONODE || !isOwn(read)) {
                return CompletableFuture.completedFuture(null);
            }
            return call.delete(path, read.getStat().getVersion()).thenCompose(deleted -> remove(call));
        });
    }
}
