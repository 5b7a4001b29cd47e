// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A cluster that is put under load. */
public interface BenchCluster extends AutoCloseable {
    /** Its namespace. */
    URI uri();

    /** One line for the report. */
    String description();

    /** The processes whose processor time counts, this one included. */
    List<Long> pids();

    /** Requests that its metadata store has received so far, of all clients; empty when that is elsewhere. */
    default OptionalLong metadataRequests() {
        return OptionalLong.empty();
    }

    /** A directory on the device of the journals; empty when the cluster is elsewhere. */
    Optional<Path> journalDevice();

    /** Whether it goes on after {@link #close}, with all that was written to it. */
    default boolean outlivesRun() {
        return false;
    }

    /** Stops what was started here, and removes it. */
    @Override
    void close();
}
