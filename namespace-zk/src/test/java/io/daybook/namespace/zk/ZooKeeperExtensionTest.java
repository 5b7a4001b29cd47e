// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.junit.jupiter.api.Test;

/** The tests of this module leave nothing behind. */
final class ZooKeeperExtensionTest {
    @Test
    void whatEachStartLeavesIsRemovedInTheEnd() throws Exception {
        ZooKeeperExtension zooKeeper = new ZooKeeperExtension();
        zooKeeper.begin();
        File data = zooKeeper.server().getTempDirectory();
        zooKeeper.server().restart();
        assertThat(ZooKeeperExtension.configurations(data)).isNotEmpty();

        zooKeeper.end();

        assertThat(ZooKeeperExtension.configurations(data)).isEmpty();
    }
}
