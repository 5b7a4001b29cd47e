// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.BookieConfig;
import io.daybook.runtime.Endpoint;
import java.time.Duration;

/** How the bookies of a simulated cluster are set up: small, so that slabs fill and journals wrap within a second. */
public record BookieKnobs(int slabBytes, int slabCount, Duration flushAge, int commitBytesMax) {
    static final int PORT = 3181;

    /** Slabs of 64 KiB. */
    public static final BookieKnobs DEFAULT = new BookieKnobs(64 * 1024, 3, Duration.ofSeconds(2), 16 * 1024);

    BookieConfig config(String machine) {
        return BookieConfig.embedded(machine, SimulatedCluster.JOURNAL, SimulatedCluster.DATA)
                .withListen(new Endpoint(machine, PORT))
                .withAdvertisedHost(machine)
                .withSlabs(slabBytes, slabCount)
                .withFlushAge(flushAge)
                .withCommitBytesMax(commitBytesMax);
    }
}
