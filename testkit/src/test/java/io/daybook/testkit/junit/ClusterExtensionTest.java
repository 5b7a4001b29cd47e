// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.testkit.cluster.LocalBookie;
import io.daybook.testkit.cluster.LocalCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One cluster serves all tests of a class; names are fresh. */
@DaybookCluster(bookies = 1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClusterExtensionTest {
    private final LocalCluster shared;

    ClusterExtensionTest(LocalCluster cluster) {
        shared = cluster;
    }

    @BeforeEach
    void theClusterIsTheSameForEachTest(LocalCluster cluster) {
        assertThat(cluster).isSameAs(shared);
    }

    @Test
    void theClusterHasTheBookiesThatWereAskedFor(LocalCluster cluster) {
        assertThat(cluster.bookies()).hasSize(1);
        assertThat(cluster.bookie(0).state()).isEqualTo(LocalBookie.State.RUNNING);
    }

    @Test
    void namesAreFresh(@FreshName String first, @FreshName String second) {
        assertThat(first).isNotEqualTo(second).startsWith("clusterextensiontest-");
    }

    /** Tests inside tests. */
    @Nested
    final class Inner {
        @Test
        void theOuterClusterServesThemToo(LocalCluster cluster) {
            assertThat(cluster).isSameAs(shared);
        }
    }
}
