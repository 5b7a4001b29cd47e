// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSink;
import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.OutputForm;
import io.daybook.stream.LogReader;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;

/** Writes records of a stream to standard output. */
final class RecordPrinter {
    private static final int BATCH = 1000;
    /** For ever, in effect: whoever follows a stream need not know that nothing is there now, which more bookies must answer for than reading takes. */
    private static final Duration WAIT = Duration.ofDays(1);

    private final RecordSink sink;

    RecordPrinter(Invocation invocation, FormatOption format) {
        RecordFormat usual = invocation.options().output() == OutputForm.json ? RecordFormat.JSON : RecordFormat.LINES;
        sink = format.orElse(usual).sink(invocation.terminal().out());
    }

    /** What the stream holds now, at most {@code countMax} records. */
    void printPresent(LogReader reader, long countMax) throws IOException {
        long left = countMax;
        Iterator<PositionedRecord> records = reader.drain().iterator();
        try {
            while (left > 0 && records.hasNext()) {
                print(records.next());
                left--;
            }
        } finally {
            sink.flush();
        }
    }

    /** Records as they come, until there were {@code countMax} or the stream has ended. */
    void follow(LogReader reader, long countMax) throws IOException {
        long left = countMax;
        while (left > 0) {
            ReadResult result =
                    reader.nextBatch((int) Math.min(BATCH, left), WAIT).join();
            if (result instanceof ReadResult.Ended) {
                return;
            }
            if (result instanceof ReadResult.Records records) {
                for (PositionedRecord record : records.list()) {
                    print(record);
                }
                left -= records.list().size();
                sink.flush();
            }
        }
    }

    /** One record. */
    void print(PositionedRecord record) throws IOException {
        sink.write(record.payload(), json -> {
            json.writeStringField("position", record.position().toString());
            json.writeNumberField("sequenceId", record.sequenceId());
            json.writeNumberField("transactionId", record.transactionId());
        });
    }

    /** Gives everything to the operating system. */
    void flush() throws IOException {
        sink.flush();
    }
}
