// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSink;
import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.OutputForm;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.OpenOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook ledger read}. */
@Command(name = "read", description = "Writes the entries of a ledger to standard output; its writer is not disturbed.")
final class LedgerRead implements Callable<Integer> {
    private static final int BATCH = 1000;
    private static final int BATCH_BYTES = 1024 * 1024;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    @Mixin
    private final FormatOption format = new FormatOption();

    @Option(names = "--from", paramLabel = "ENTRY", defaultValue = "0", description = "The first entry. Default: 0.")
    private long from;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            showDefaultValue = Visibility.NEVER,
            description = "End after this many entries.")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--follow",
            description = "Go on with entries as they are written, until Ctrl-C or the ledger's end.")
    private boolean follow;

    LedgerRead(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        RecordFormat usual = invocation.options().output() == OutputForm.json ? RecordFormat.JSON : RecordFormat.LINES;
        RecordSink sink = format.orElse(usual).sink(invocation.terminal().out());
        try (LedgerSession session = LedgerSession.open(invocation);
                Shutdown shutdown = Shutdown.does(() -> {});
                LedgerReader reader = session.client()
                        .open(ledger.value(), OpenOptions.DEFAULT)
                        .join()) {
            reader.refresh().join();
            read(reader, sink);
        } finally {
            sink.flush();
        }
        return ExitCodes.DONE;
    }

    private void read(LedgerReader reader, RecordSink sink) throws IOException {
        long next = from;
        long left = count;
        while (left > 0 && (next <= reader.lastAddConfirmed() || (follow && !reader.isClosed()))) {
            int batch = (int) Math.min(BATCH, left);
            try (LedgerEntries entries = next(reader, next, batch)) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    sink.write(entry.payload().nioBuffer(), json -> {
                        json.writeNumberField("ledgerId", entry.ledgerId());
                        json.writeNumberField("entryId", entry.entryId());
                    });
                }
                next += entries.list().size();
                left -= entries.list().size();
            }
            if (follow) {
                sink.flush();
            }
        }
    }

    private LedgerEntries next(LedgerReader reader, long next, int batch) {
        return follow
                ? reader.readTail(next, batch, BATCH_BYTES, WAIT_NANOS).join()
                : reader.read(next, batch, BATCH_BYTES).join();
    }
}
