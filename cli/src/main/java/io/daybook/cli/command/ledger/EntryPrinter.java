// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.format.RecordSink;
import io.daybook.cli.terminal.Terminal;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Writes entries of a ledger to a sink. */
record EntryPrinter(LedgerReader reader, RecordSink sink) {
    private static final int BATCH = 1000;
    private static final int BATCH_BYTES = 1024 * 1024;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Asks how far the ledger is confirmed. When too few bookies answer it says so and goes on with what those know that do. */
    void refresh(Terminal terminal) {
        try {
            reader.refresh().join();
        } catch (CompletionException failure) {
            if (!(failure.getCause() instanceof LedgerException.NotEnoughBookies tooFew)) {
                throw failure;
            }
            terminal.message("daybook: " + tooFew.getMessage());
        }
    }

    /** Writes up to {@code count} entries from {@code from} on, as far as they are confirmed now. */
    void print(long from, long count) throws IOException {
        long next = from;
        long left = count;
        while (left > 0 && next <= reader.lastAddConfirmed()) {
            long written = write(
                    reader.read(next, (int) Math.min(BATCH, left), BATCH_BYTES).join());
            next += written;
            left -= written;
        }
    }

    /** Writes up to {@code count} entries from {@code from} on, as they are confirmed, until the ledger ends. */
    void follow(long from, long count) throws IOException {
        long next = from;
        long left = count;
        while (left > 0 && (next <= reader.lastAddConfirmed() || !reader.isClosed())) {
            int batch = (int) Math.min(BATCH, left);
            long written =
                    write(reader.readTail(next, batch, BATCH_BYTES, WAIT_NANOS).join());
            next += written;
            left -= written;
            sink.flush();
        }
    }

    private long write(LedgerEntries read) throws IOException {
        try (LedgerEntries entries = read) {
            for (LedgerEntries.Entry entry : entries.list()) {
                sink.write(entry.payload().nioBuffer(), json -> {
                    json.writeNumberField("ledgerId", entry.ledgerId());
                    json.writeNumberField("entryId", entry.entryId());
                });
            }
            return entries.list().size();
        }
    }
}
