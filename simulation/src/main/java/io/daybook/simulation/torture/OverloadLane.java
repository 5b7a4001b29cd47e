// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One client that appends as fast as it may, ledger after ledger; full ledgers are put on the shelf.
 *
 * <p><i>Threading:</i> a thread of its own; acknowledgements come on the client's.
 */
final class OverloadLane {
    private static final long LEDGER_BYTES = 4L * 1024 * 1024;

    private final Supplier<VerifiedLedger> ledgers;
    private final OverloadShelf shelf;
    private final Consumer<String> wrong;
    private final OverloadThread thread;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong acknowledgedBytes = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();

    OverloadLane(Supplier<VerifiedLedger> ledgers, OverloadShelf shelf, Consumer<String> wrong) {
        this.ledgers = ledgers;
        this.shelf = shelf;
        this.wrong = wrong;
        thread = new OverloadThread("overload-writer", "an append", this::append, wrong);
    }

    void start() {
        thread.start();
    }

    /** Returns when everything that was appended is acknowledged. */
    void stop() {
        thread.stop();
    }

    long acknowledged() {
        return acknowledged.get();
    }

    long acknowledgedBytes() {
        return acknowledgedBytes.get();
    }

    long longestNanos() {
        return longestNanos.get();
    }

    private void append(BooleanSupplier isStopped) {
        while (!isStopped.getAsBoolean()) {
            VerifiedLedger ledger = ledgers.get();
            while (!isStopped.getAsBoolean() && ledger.writer().lengthBytes() < LEDGER_BYTES) {
                ledger.writer().ready().join();
                ledger.appendNext(new Count(ledger.nextLength()));
            }
            // Returns when all of it is acknowledged.
            ledger.writer().close().join();
            shelf.put(ledger);
        }
    }

    /** Counts one append. */
    private final class Count implements LedgerWriter.AppendListener {
        private final long begunNanos = System.nanoTime();
        private final int bytes;

        Count(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public void appended(long entryId) {
            acknowledged.incrementAndGet();
            acknowledgedBytes.addAndGet(bytes);
            longestNanos.accumulateAndGet(System.nanoTime() - begunNanos, Math::max);
        }

        @Override
        public void failed(LedgerException failure) {
            wrong.accept("an append failed under load: " + failure.getMessage());
        }
    }
}
