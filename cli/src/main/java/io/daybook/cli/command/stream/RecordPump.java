// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.format.InputRecord;
import io.daybook.cli.format.MalformedInputException;
import io.daybook.cli.format.RecordSource;
import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.StreamException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Appends the records of an input without waiting for each; the writer bounds what is in flight.
 *
 * <p><i>Threading:</i> one thread pumps; acknowledgements come on a thread of the writer, in the order of the records.
 */
final class RecordPump {
    private final LogWriter writer;
    private final TransactionIds transactionIds;
    private final AtomicReference<@Nullable Failed> failed = new AtomicReference<>();
    private volatile DLSN lastPosition;
    private volatile long acknowledgedCount;
    private volatile boolean cut;
    private long recordCount;
    private long byteCount;

    /** The first append that failed. */
    private record Failed(long recordNumber, Throwable cause) {}

    RecordPump(LogWriter writer, TransactionIds transactionIds) {
        this.writer = writer;
        this.transactionIds = transactionIds;
        lastPosition = writer.lastPosition();
    }

    /** Appends all records and returns when they are durable. */
    void pump(RecordSource source) throws IOException {
        try {
            Optional<InputRecord> next = source.next();
            while (next.isPresent() && failed.get() == null && !cut) {
                append(next.get());
                next = source.next();
            }
        } catch (MalformedInputException malformed) {
            finish();
            throw new CommandFailure(malformed.getMessage() + "; " + kept(), malformed);
        }
        finish();
    }

    private void append(InputRecord record) {
        recordCount++;
        byteCount += record.payload().remaining();
        long number = recordCount;
        LogRecord appended = new LogRecord(transactionIds.next(record.transactionId()), record.payload());
        writer.append(appended).whenComplete((position, failure) -> {
            if (failure == null) {
                lastPosition = position;
                acknowledgedCount = number;
            } else {
                failed.compareAndSet(null, new Failed(number, failure));
            }
        });
    }

    /** Waits for what was appended and tells how it ended. */
    private void finish() {
        Throwable cause = null;
        try {
            writer.flush().join();
        } catch (CompletionException failure) {
            cause = failure;
        }
        Failed first = failed.get();
        if (first != null) {
            throw failure(first.recordNumber(), first.cause());
        }
        if (cause != null) {
            throw failure(recordCount, cause);
        }
    }

    private CommandFailure failure(long recordNumber, Throwable cause) {
        Throwable root = FailureReport.causeOf(cause);
        String doubt = root instanceof StreamException stream && stream.outcome() == StreamException.Outcome.UNKNOWN
                ? "; whether it is stored is not known, reading tells"
                : "";
        return new CommandFailure(
                "record " + recordNumber + " was not written: " + root.getMessage() + "; " + kept() + doubt, cause);
    }

    private String kept() {
        return acknowledgedCount == 0
                ? "no record before it is stored"
                : acknowledgedCount + " before it are stored, the last at " + lastPosition;
    }

    /** Ends the pumping from another thread as well as can be done at once, and says how far it came. */
    String cutShort() {
        cut = true;
        try {
            writer.closeWriter().join();
        } catch (CompletionException failure) {
            return "interrupted; " + FailureReport.causeOf(failure).getMessage() + "; " + kept();
        }
        return "interrupted: " + acknowledgedCount + " records are stored, the last at " + lastPosition;
    }

    /** Of the last record that is stored; where the stream ended before when there is none. */
    DLSN lastPosition() {
        return lastPosition;
    }

    /** Records that were read. */
    long recordCount() {
        return recordCount;
    }

    /** Their bytes. */
    long byteCount() {
        return byteCount;
    }
}
