// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;

/** The parts of one change of several nodes, in order. */
public final class ZkOps {
    private final CuratorFramework client;
    private final List<CuratorOp> ops = new ArrayList<>();

    public ZkOps(CuratorFramework client) {
        this.client = client;
    }

    /** Building a part sends nothing; that Curator declares Exception for it is an accident of its interface. */
    private interface Part {
        CuratorOp build() throws Exception;
    }

    private ZkOps add(Part part) {
        try {
            ops.add(part.build());
            return this;
        } catch (Exception impossible) {
            throw new IllegalStateException("a change that cannot be described", impossible);
        }
    }

    /** The node has that version. */
    public ZkOps check(String path, int version) {
        return add(() -> client.transactionOp().check().withVersion(version).forPath(path));
    }

    /** The node is there. */
    public ZkOps checkPresent(String path) {
        return add(() -> client.transactionOp().check().forPath(path));
    }

    /** Creates a node. */
    public ZkOps create(String path, byte[] value) {
        return add(() -> client.transactionOp().create().forPath(path, value));
    }

    /** Creates a node that lives as long as the session. */
    public ZkOps createEphemeral(String path, byte[] value) {
        return add(() ->
                client.transactionOp().create().withMode(CreateMode.EPHEMERAL).forPath(path, value));
    }

    /** Replaces the value of that version. */
    public ZkOps replace(String path, byte[] value, int version) {
        return add(() -> client.transactionOp().setData().withVersion(version).forPath(path, value));
    }

    /** Replaces a value. */
    public ZkOps replace(String path, byte[] value) {
        return add(() -> client.transactionOp().setData().forPath(path, value));
    }

    /** Deletes a node of that version. */
    public ZkOps delete(String path, int version) {
        return add(() -> client.transactionOp().delete().withVersion(version).forPath(path));
    }

    /** Deletes a node. */
    public ZkOps delete(String path) {
        return add(() -> client.transactionOp().delete().forPath(path));
    }

    /** The parts. */
    public List<CuratorOp> build() {
        return List.copyOf(ops);
    }
}
