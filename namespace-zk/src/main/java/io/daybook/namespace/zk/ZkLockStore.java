// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.LockStore;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LockFormat;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** Locks in ZooKeeper: an ephemeral node for each that is held, whose value names the holder. */
final class ZkLockStore implements LockStore {
    private final ZkSession session;
    private final ZkWatches watches;
    private final ZkPaths paths;

    ZkLockStore(ZkSession session, ZkWatches watches) {
        this.session = session;
        this.watches = watches;
        this.paths = new ZkPaths(session.address().root());
    }

    private String what(String name) {
        return "lock '" + name + "' at " + session.address();
    }

    @Override
    public CompletableFuture<Attempt> tryAcquire(String name, Owner owner) {
        ZkHold hold = new ZkHold(session, watches, paths.lock(name), LockFormat.encode(name, owner));
        return session.run(
                what(name),
                call -> withdrawnUnlessTold(
                        call,
                        hold,
                        create(call, hold.path(), hold.value()).thenCompose(answer -> onCreation(call, hold, answer))));
    }

    /** A lock of which its holder is not told, because an answer was lost and the time is over, must not stay taken. */
    private static <T> CompletableFuture<T> withdrawnUnlessTold(ZkCall call, ZkHold hold, CompletableFuture<T> taking) {
        return taking.whenComplete((taken, failure) -> {
            if (failure != null && call.isUnknown()) {
                hold.withdraw();
            }
        });
    }

    /** Creates the node, and those above it where they are missing. */
    private static CompletableFuture<CuratorEvent> create(ZkCall call, String path, byte[] value) {
        return call.create(path, value, CreateMode.EPHEMERAL)
                .thenCompose(answer -> ZkCall.code(answer) == Code.NONODE
                        ? call.ensure(path.substring(0, path.lastIndexOf('/')))
                                .thenCompose(above -> call.create(path, value, CreateMode.EPHEMERAL))
                        : CompletableFuture.completedFuture(answer));
    }

    private CompletableFuture<Attempt> onCreation(ZkCall call, ZkHold hold, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(new Attempt.Taken(hold.begun()));
            case NODEEXISTS -> settle(call, hold);
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    /** Whose it is tells the value, also after a lost answer (M2). */
    private CompletableFuture<Attempt> settle(ZkCall call, ZkHold hold) {
        call.requireTime();
        return call.readLatest(hold.path()).thenCompose(read -> {
            if (ZkCall.code(read) == Code.NONODE) {
                return create(call, hold.path(), hold.value()).thenCompose(again -> onCreation(call, hold, again));
            }
            Owner holder = LockFormat.decode(read.getData(), call.what());
            return CompletableFuture.completedFuture(
                    hold.isOwn(read) ? new Attempt.Taken(hold.begun()) : new Attempt.Refused(holder));
        });
    }

    @Override
    public CompletableFuture<Hold> seize(String name, Owner owner) {
        byte[] value = LockFormat.encode(name, owner);
        ZkHold hold = new ZkHold(session, watches, paths.lock(name), value);
        return session.run(what(name), call -> withdrawnUnlessTold(call, hold, seize(call, hold)));
    }

    private CompletableFuture<Hold> seize(ZkCall call, ZkHold hold) {
        call.requireTime();
        return call.readLatest(hold.path()).thenCompose(read -> {
            if (ZkCall.code(read) == Code.NONODE) {
                return create(call, hold.path(), hold.value()).thenCompose(answer -> onSeizure(call, hold, answer));
            }
            if (hold.isOwn(read)) {
                return CompletableFuture.completedFuture(hold.begun());
            }
            ZkOps changes = new ZkOps(session.client())
                    .delete(hold.path(), read.getStat().getVersion())
                    .createEphemeral(hold.path(), hold.value());
            return call.changeAll(changes.build()).thenCompose(answer -> onSeizure(call, hold, answer));
        });
    }

    private CompletableFuture<Hold> onSeizure(ZkCall call, ZkHold hold, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(hold.begun());
            case NODEEXISTS, NONODE, BADVERSION -> seize(call, hold);
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    @Override
    public CompletableFuture<Optional<Owner>> holder(String name) {
        LockFormat.checkName(name);
        return session.run(
                what(name),
                call -> call.readLatest(paths.lock(name))
                        .thenApply(answer -> ZkCall.code(answer) == Code.NONODE
                                ? Optional.empty()
                                : Optional.of(LockFormat.decode(answer.getData(), call.what()))));
    }

    @Override
    public Watch watch(String name, Runnable listener) {
        LockFormat.checkName(name);
        return watches.add(paths.lock(name), AddWatchMode.PERSISTENT, listener);
    }
}
