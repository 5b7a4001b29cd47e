// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.description.DescribeRequest;
import org.junit.jupiter.api.Test;

/** What a hello is answered. */
final class HandshakeTest {
    private static final ServerIdentity SELF = new ServerIdentity(new ClusterId(1, 2), new BookieId(3, 4));

    private static HelloAnswer answer(int versionMin, int versionMax, ClusterId cluster, BookieId bookie) {
        Hello hello = new Hello(versionMin, versionMax, 0, cluster, bookie, LinkKind.APPEND, "test");
        return Greeting.answer(hello, SELF, 1000);
    }

    @Test
    void theRightHelloIsAcceptedWithTheLimitOnEntries() {
        HelloAnswer answer = answer(1, 3, SELF.clusterId(), SELF.bookieId());

        assertThat(answer.status()).isEqualTo(StatusCode.OK);
        assertThat(answer.version()).isEqualTo(1);
        assertThat(answer.entryBytesMax()).isEqualTo(1000);
    }

    @Test
    void ofTheFeaturesThoseAreUsedThatBothKnow() {
        Hello hello =
                new Hello(1, 1, 0x10 | DescribeRequest.FEATURE, SELF.clusterId(), SELF.bookieId(), LinkKind.OTHER, "");

        assertThat(Greeting.answer(hello, SELF, 1000).features()).isEqualTo(DescribeRequest.FEATURE);
        assertThat(answer(1, 1, SELF.clusterId(), SELF.bookieId()).features()).isZero();
    }

    // P-83
    @Test
    void newerVersionsOnlyAreRefused() {
        assertThat(answer(2, 3, SELF.clusterId(), SELF.bookieId()).status()).isEqualTo(StatusCode.VERSION_MISMATCH);
    }

    @Test
    void anotherClusterIsRefused() {
        HelloAnswer answer = answer(1, 1, new ClusterId(9, 9), SELF.bookieId());

        assertThat(answer.status()).isEqualTo(StatusCode.WRONG_BOOKIE);
        assertThat(answer.text()).contains("cluster");
    }

    // P-22
    @Test
    void anotherBookieIsRefused() {
        HelloAnswer answer = answer(1, 1, SELF.clusterId(), new BookieId(9, 9));

        assertThat(answer.status()).isEqualTo(StatusCode.WRONG_BOOKIE);
        assertThat(answer.text()).contains(SELF.bookieId().toString());
    }
}
