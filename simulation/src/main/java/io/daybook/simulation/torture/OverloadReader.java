// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.api.LedgerClient;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Reads and compares old ledgers, one after the other. <i>Threading:</i> a thread of its own. */
final class OverloadReader {
    private final LedgerClient client;
    private final OverloadShelf shelf;
    private final Random random;
    private final Consumer<String> wrong;
    private final OverloadThread thread;

    OverloadReader(LedgerClient client, OverloadShelf shelf, long seed, Consumer<String> wrong) {
        this.client = client;
        this.shelf = shelf;
        this.random = new Random(seed);
        this.wrong = wrong;
        thread = new OverloadThread("overload-reader", "a read", this::read, wrong);
    }

    void start() {
        thread.start();
    }

    /** Returns when it has ended. */
    void stop() {
        thread.stop();
    }

    private void read(BooleanSupplier isStopped) {
        while (!isStopped.getAsBoolean()) {
            Optional<VerifiedLedger> old = shelf.borrow(random);
            if (old.isEmpty()) {
                Pauses.millis(20);
            } else {
                shelf.verify(client, old.orElseThrow(), wrong, isStopped);
                shelf.giveBack(old.orElseThrow());
            }
        }
    }
}
