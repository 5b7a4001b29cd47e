// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.OpenOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The ledgers that are full, of which only the newest are kept, so that the bookie's space stays bounded and its cleanup has work.
 *
 * <p><i>Threading:</i> any thread.
 */
final class OverloadShelf {
    private static final int LEDGERS_MAX = 80;
    private static final int READ_COUNT_MAX = 1_000;
    private static final int READ_BYTES = 1024 * 1024;

    private final LedgerClient client;
    private final List<VerifiedLedger> ledgers = new ArrayList<>();
    private final AtomicLong verified = new AtomicLong();

    OverloadShelf(LedgerClient client) {
        this.client = client;
    }

    /** Puts a ledger in; the oldest goes when there are too many. */
    void put(VerifiedLedger ledger) {
        VerifiedLedger oldest;
        synchronized (this) {
            ledgers.add(ledger);
            oldest = ledgers.size() > LEDGERS_MAX ? ledgers.remove(0) : null;
        }
        if (oldest != null) {
            client.delete(oldest.ledgerId()).join();
        }
    }

    /** Takes one out, so that it is not deleted meanwhile. */
    synchronized Optional<VerifiedLedger> borrow(Random random) {
        return ledgers.isEmpty() ? Optional.empty() : Optional.of(ledgers.remove(random.nextInt(ledgers.size())));
    }

    /** Puts it back, as the oldest. */
    synchronized void giveBack(VerifiedLedger ledger) {
        ledgers.add(0, ledger);
    }

    /** How many entries were compared. */
    long verified() {
        return verified.get();
    }

    /** Reads all ledgers back. */
    void verifyAll(Consumer<String> wrong) {
        List<VerifiedLedger> all;
        synchronized (this) {
            all = List.copyOf(ledgers);
        }
        all.forEach(ledger -> verify(client, ledger, wrong, () -> false));
    }

    /** Reads one ledger back and compares it, unless it is told to end. */
    void verify(LedgerClient reads, VerifiedLedger ledger, Consumer<String> wrong, BooleanSupplier isStopped) {
        try (LedgerReader reader =
                reads.open(ledger.ledgerId(), OpenOptions.DEFAULT).join()) {
            long end = reader.lastAddConfirmed();
            if (end < ledger.lastAcknowledged()) {
                wrong.accept("ledger " + ledger.ledgerId() + " ends at " + end + " but " + ledger.lastAcknowledged()
                        + " was acknowledged");
            }
            long next = 0;
            while (next <= end && !isStopped.getAsBoolean()) {
                try (LedgerEntries entries =
                        reader.read(next, READ_COUNT_MAX, READ_BYTES).join()) {
                    next = compare(ledger, entries, next, wrong);
                }
            }
        }
    }

    private long compare(VerifiedLedger ledger, LedgerEntries entries, long first, Consumer<String> wrong) {
        long next = first;
        for (LedgerEntries.Entry entry : entries.list()) {
            if (entry.entryId() != next || !VerifiedLedger.isIntact(ledger.ledgerId(), next, entry.payload())) {
                wrong.accept("entry " + next + " of ledger " + ledger.ledgerId() + " is not what was written");
            }
            next++;
            verified.incrementAndGet();
        }
        return next;
    }
}
