// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.bookie.Bookie;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedMachine;
import org.jspecify.annotations.Nullable;

/** One bookie of a {@link SimulatedCluster} as its operator sees it: the machine, who lives on it now, and in which condition. */
final class Seat {
    final String machine;
    /** Who lives there: another one after each format. */
    BookieId bookieId;
    /** How the next process is set up. */
    BookieKnobs knobs;
    /** The running bookie; null while there is none that serves. */
    @Nullable
    Bookie bookie;

    SimulatedMachine.@Nullable Halt lastHalt;
    /** Whether it is started again when it is down. */
    boolean isWanted = true;
    /** Whether its disks are empty and must be formatted before the next start. */
    boolean isBlank;
    /** Whether a format is under way. */
    boolean isFormatting;
    /** Whether everything it held is lost for ever. */
    boolean isDestroyed;
    /** Whether stored bytes have rotted since the last format. */
    boolean isRotten;
    /** Whether its directories hold what belongs elsewhere, so that it must refuse to start. */
    boolean isMixedUp;
    /** Whether one of its data directories is empty, so that it must refuse to start. */
    boolean lacksDirectory;

    Seat(String machine, BookieId bookieId, BookieKnobs knobs) {
        this.machine = machine;
        this.bookieId = bookieId;
        this.knobs = knobs;
    }

    /** Whether a power failure would leave disks from which this bookie starts. */
    boolean isWhole() {
        return !isDestroyed && !isBlank && !isFormatting && !isMixedUp && !lacksDirectory;
    }
}
