// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.load.Lane;
import java.util.List;

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

    /** Gives everything back and removes what was written. */
    @Override
    void close();
}
