// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

/** Where things stand in the tree. */
final class ZkPathsTest {
    private final ZkPaths paths = new ZkPaths("/daybook");

    @Test
    void ledgerIdsAreCutIntoLevels() {
        assertThat(paths.ledger(0)).isEqualTo("/daybook/ledgers/0/000/000/000/000/000");
        assertThat(paths.ledger(4_095)).isEqualTo("/daybook/ledgers/0/000/000/000/000/fff");
        assertThat(paths.ledger(4_096)).isEqualTo("/daybook/ledgers/0/000/000/000/001/000");
        assertThat(paths.ledger(Long.MAX_VALUE)).isEqualTo("/daybook/ledgers/7/fff/fff/fff/fff/fff");
        assertThat(paths.ledgerBucket(4_097)).isEqualTo("/daybook/ledgers/0/000/000/000/001");
    }

    @Test
    void segmentsStandInBucketsOfAThousand() {
        assertThat(ZkPaths.segment("/s", 999)).isEqualTo("/s/s0000000000000000/999");
        assertThat(ZkPaths.segment("/s", 1_000)).isEqualTo("/s/s0000000000000001/1000");
        assertThat(ZkPaths.isSegmentBucket(ZkPaths.segmentBucket(5))).isTrue();
    }

    @Test
    void anyNameBecomesALegalNodeAndBack() {
        for (String name :
                List.of("a", ".", "..", ".a", "a.b", "/", "%", "%2F", "\u0000", "a b", "\u00e4", "\ud83d\ude00")) {
            PathUtils.validatePath(paths.stream(name));
            assertThat(ZkPaths.encoded(name)).doesNotContain("/").doesNotStartWith(".");
            assertThat(ZkPaths.decoded(ZkPaths.encoded(name))).isEqualTo(name);
        }
    }

    @Test
    void foreignNodesAreNoNames() {
        for (String node : List.of("%", "%2", "%zz", "%61", "a%2f", "%C3", "a b")) {
            assertThatThrownBy(() -> ZkPaths.decoded(node)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
