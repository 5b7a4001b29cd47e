// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.load.Lane;
import io.daybook.benchmarks.load.LoadRun;
import io.daybook.benchmarks.report.Delivery;
import java.util.List;
import java.util.Optional;

/** What is done to a cluster: handles of one kind, opened for one measurement. */
public interface Workload extends AutoCloseable {
    /** A word for the report. */
    String what();

    /** Bytes of payload of each request. */
    int payloadBytes();

    /** E/Qw/Qa, for the report. */
    String quorums();

    /** Copies of each byte that are written. */
    int copies();

    /** The open handles. */
    List<? extends Lane> lanes();

    /** Whom to tell when the part that counts begins and ends. */
    default LoadRun.Edges edges() {
        return LoadRun.Edges.NONE;
    }

    /** What readers got that follow, if there are any; waits for it. Called while no request is under way. */
    default Optional<Delivery> delivery() throws InterruptedException {
        return Optional.empty();
    }

    /** Gives everything back and removes what was written. */
    @Override
    void close();
}
