// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.testkit.cluster.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Subscribing on a real cluster: ZooKeeper and three bookies. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SubscribingClusterTest extends SubscribingBehaviour {
    private LocalCluster cluster;

    @BeforeAll
    void startCluster() {
        cluster = LocalCluster.builder().bookies(3).start();
    }

    @AfterAll
    void closeCluster() {
        cluster.close();
    }

    @Override
    Stage newStage() {
        return new ClusterStage(cluster);
    }
}
