// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.api.LedgerClient;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Reads and compares old ledgers, one after the other. <i>Threading:</i> a thread of its own. */
final class OverloadReader implements Runnable {
    private static final long JOIN_MILLIS_MAX = 180_000;

    private final LedgerClient client;
    private final OverloadShelf shelf;
    private final Random random;
    private final Consumer<String> wrong;
    private final Thread thread = new Thread(this, "overload-reader");
    private volatile boolean isStopped;

    OverloadReader(LedgerClient client, OverloadShelf shelf, long seed, Consumer<String> wrong) {
        this.client = client;
        this.shelf = shelf;
        this.random = new Random(seed);
        this.wrong = wrong;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns when it has ended. */
    void stop() {
        isStopped = true;
        try {
            thread.join(JOIN_MILLIS_MAX);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            wrong.accept("a read was not answered within " + JOIN_MILLIS_MAX / 1_000 + " s after the load");
        }
    }

    @Override
    public void run() {
        try {
            while (!isStopped) {
                Optional<VerifiedLedger> old = shelf.borrow(random);
                if (old.isEmpty()) {
                    Pauses.millis(20);
                } else {
                    shelf.verify(client, old.orElseThrow(), wrong, () -> isStopped);
                    shelf.giveBack(old.orElseThrow());
                }
            }
        } catch (RuntimeException failure) {
            wrong.accept("a read failed under load: " + failure.getMessage());
        }
    }
}
