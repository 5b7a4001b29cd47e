// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.description.DescribeRequest;

/** Decides what a hello is answered. */
final class Greeting {

    /** What may be asked for beyond it. */
    private static final long FEATURES = DescribeRequest.FEATURE;

    private Greeting() {}

    static HelloAnswer answer(Hello hello, ServerIdentity self, int entryBytesMax) {
        if (hello.versionMin() > Hello.PROTOCOL_VERSION || hello.versionMax() < Hello.PROTOCOL_VERSION) {
            return refusal(
                    StatusCode.VERSION_MISMATCH,
                    self,
                    "this bookie speaks protocol version " + Hello.PROTOCOL_VERSION + ", the client "
                            + hello.versionMin() + " to " + hello.versionMax());
        }
        if (!hello.clusterId().equals(self.clusterId())) {
            return refusal(
                    StatusCode.WRONG_BOOKIE,
                    self,
                    "this bookie belongs to cluster " + self.clusterId() + ", not to " + hello.clusterId());
        }
        if (!hello.expectedBookie().equals(self.bookieId())) {
            return refusal(
                    StatusCode.WRONG_BOOKIE,
                    self,
                    "this is bookie " + self.bookieId() + ", not " + hello.expectedBookie());
        }
        return new HelloAnswer(
                StatusCode.OK, Hello.PROTOCOL_VERSION, hello.features() & FEATURES, self.bookieId(), entryBytesMax, "");
    }

    private static HelloAnswer refusal(StatusCode status, ServerIdentity self, String text) {
        return new HelloAnswer(status, 0, 0, self.bookieId(), 0, text);
    }
}
