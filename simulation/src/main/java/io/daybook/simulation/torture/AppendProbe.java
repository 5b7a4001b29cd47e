// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.util.Arrays;

/** Appends one entry after the other and takes their time. <i>Threading:</i> one thread, which waits. */
final class AppendProbe {
    private final VerifiedLedger ledger;

    AppendProbe(VerifiedLedger ledger) {
        this.ledger = ledger;
    }

    /** The median of so many appends, each made when the one before is acknowledged. */
    long medianNanos(int appends) {
        long[] nanos = new long[appends];
        for (int i = 0; i < appends; i++) {
            long begun = System.nanoTime();
            ledger.appendNext().join();
            nanos[i] = System.nanoTime() - begun;
        }
        Arrays.sort(nanos);
        return nanos[appends / 2];
    }
}
