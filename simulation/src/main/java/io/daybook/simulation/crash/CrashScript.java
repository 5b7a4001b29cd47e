// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.runtime.simulated.disk.Survivors;
import java.util.List;

/** A short life of a bookie that does one thing to its disks, crashed after each operation. */
public enum CrashScript {
    /** Empty disks become a bookie. */
    FORMAT,
    /** Adds, fences and confirmations fill every journal file several times: roll, flush, checkpoint, recycling. */
    ROLL,
    /** Fences and confirmations only, then a checkpoint because of age (D12). */
    FACTS,
    /** A few adds, then a stop that flushes. */
    STOP,
    /** The replay of a journal of which nothing was flushed (B8). */
    REPLAY,
    /** Ledgers are deleted; their entries go, the logs they were in are compacted, while others are added to. */
    CLEANUP;

    private static final int LEDGERS = 3;
    private static final int CLEANED_LEDGERS = 6;
    private static final long ROUND_NANOS = 5_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long FOR_EVER_NANOS = 1_000_000 * SECOND;
    private static final int PUBLISH_EVERY = 3;
    private static final int FENCE_EVERY = 5;
    private static final long FENCED_LEDGERS = 100;

    /** What is there before operations are recorded; the defects are planted in it. */
    LoneBookie begin(long seed, List<String> defects) {
        LoneBookie one = new LoneBookie(seed, defects);
        return switch (this) {
            case FORMAT -> one;
            case ROLL, FACTS, STOP -> started(one);
            case REPLAY -> crashedBeforeAnyFlush(started(one));
            case CLEANUP -> withLedgers(started(one));
        };
    }

    /** What is recorded. */
    void live(LoneBookie one) {
        switch (this) {
            case FORMAT -> one.format();
            case ROLL -> write(one, 20);
            case FACTS -> facts(one);
            case STOP -> {
                write(one, 3);
                one.close();
            }
            case REPLAY -> one.start();
            case CLEANUP -> cleanUp(one);
        }
    }

    private static LoneBookie started(LoneBookie one) {
        one.format();
        one.start();
        return one;
    }

    private static void write(LoneBookie one, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int ledgerId = 0; ledgerId < LEDGERS; ledgerId++) {
                one.client().add(ledgerId, round);
            }
            if (round % PUBLISH_EVERY == 1) {
                one.client().publish(round % LEDGERS, round - 1L);
            }
            if (round % FENCE_EVERY == 2) {
                one.client().fence(FENCED_LEDGERS + round);
            }
            one.world().runFor(ROUND_NANOS);
        }
        one.world().runFor(SECOND / 10);
    }

    private static void facts(LoneBookie one) {
        for (int round = 0; round < LEDGERS; round++) {
            one.client().publish(round, round);
            one.client().fence(FENCED_LEDGERS + round);
            one.world().runFor(2 * SECOND);
        }
    }

    private static LoneBookie crashedBeforeAnyFlush(LoneBookie one) {
        one.dataDrives().forEach(data -> data.faults().stallFor(FOR_EVER_NANOS));
        write(one, 12);
        LoneBookie.Disks left = new LoneBookie.Disks(one.drives().stream()
                .map(drive -> drive.image().copy().afterCrash(Survivors.none()))
                .toList());
        return one.after(left, one.metadata(), one.told());
    }

    private static LoneBookie withLedgers(LoneBookie one) {
        for (int ledgerId = 0; ledgerId < CLEANED_LEDGERS; ledgerId++) {
            one.createLedger(ledgerId);
        }
        for (int entryId = 0; entryId < 8; entryId++) {
            for (int ledgerId = 0; ledgerId < CLEANED_LEDGERS; ledgerId++) {
                one.client().add(ledgerId, entryId);
            }
            one.world().runFor(ROUND_NANOS);
        }
        one.world().runFor(2 * SECOND);
        return one;
    }

    private static void cleanUp(LoneBookie one) {
        for (int ledgerId = 0; ledgerId < CLEANED_LEDGERS; ledgerId += 2) {
            one.deleteLedger(ledgerId);
            one.told().forget(ledgerId);
        }
        one.cleanUp(false);
        one.client().add(1, 8);
        one.world().runFor(ROUND_NANOS);
        one.cleanUp(false);
        one.client().add(3, 8);
        one.world().runFor(2 * SECOND);
        one.cleanUp(true);
        one.world().runFor(SECOND / 10);
        one.cleanUp(true);
    }
}
