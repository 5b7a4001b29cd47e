// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.format.ClusterFormat;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** What the cluster is, in ZooKeeper. */
final class ZkClusterStore implements ClusterStore {
    private final ZkSession session;
    private final String path;
    private final String what;

    ZkClusterStore(ZkSession session) {
        this.session = session;
        this.path = new ZkPaths(session.address().root()).cluster();
        this.what = "the cluster at " + session.address();
    }

    @Override
    public CompletableFuture<Void> initialize(ClusterInfo info) {
        byte[] value = ClusterFormat.encode(info);
        return session.run(
                what,
                call -> call.ensure(new ZkPaths(session.address().root()).root())
                        .thenCompose(above -> call.create(path, value, CreateMode.PERSISTENT))
                        .thenCompose(answer -> onCreation(call, info, answer)));
    }

    private CompletableFuture<Void> onCreation(ZkCall call, ClusterInfo info, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(null);
            case NODEEXISTS -> call.isUnknown() ? settle(call, info) : CompletableFuture.failedFuture(taken(call));
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    /** A cluster is written once, so the value that is there tells whose creation it was: cluster ids are random. */
    private CompletableFuture<Void> settle(ZkCall call, ClusterInfo info) {
        return call.readLatest(path).thenAccept(answer -> {
            if (!ClusterFormat.decode(answer.getData(), what).equals(info)) {
                throw taken(call);
            }
        });
    }

    private static MetadataException taken(ZkCall call) {
        return call.refusal(MetadataException.Code.ALREADY_EXISTS, "was already initialised");
    }

    @Override
    public CompletableFuture<ClusterInfo> read() {
        return session.run(
                what,
                call -> call.readLatest(path).thenApply(answer -> {
                    if (ZkCall.code(answer) == Code.NONODE) {
                        throw call.refusal(
                                MetadataException.Code.NOT_FOUND, "was not initialised: run 'daybook cluster init'");
                    }
                    return ClusterFormat.decode(answer.getData(), what);
                }));
    }
}
