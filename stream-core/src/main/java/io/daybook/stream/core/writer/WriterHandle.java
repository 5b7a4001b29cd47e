// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.protocol.Limits;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.record.EntryFormat;
import io.daybook.stream.core.record.RecordBytes;
import io.daybook.stream.core.segment.InternalThreads;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The writer as applications hold it: checks sizes, copies the bytes, and hands calls to the machine in their order. <i>Threading:</i> any thread. */
public final class WriterHandle implements LogWriter {
    private final String stream;
    private final InternalThreads internal;
    private final Intake intake;
    private final WriterMachine machine;
    private final CompletableFuture<Void> free;

    /** Of an opened writer; {@code free} completes when it has ended and the stream is nobody's. */
    WriterHandle(WriterMachine machine, CompletableFuture<Void> free, InternalThreads internal) {
        this.stream = machine.streamName();
        this.internal = internal;
        this.intake = machine.intake();
        this.machine = machine;
        this.free = free;
    }

    /** Runs {@code action} once the writer is closed or has failed, and has given the stream free. */
    public void whenClosed(Runnable action) {
        free.thenRun(action);
    }

    @Override
    public String streamName() {
        return stream;
    }

    @Override
    public CompletableFuture<DLSN> append(LogRecord record) {
        int bytes = record.payload().remaining();
        if (bytes > LogRecord.PAYLOAD_BYTES_MAX) {
            return tooLarge("a record of " + bytes + " bytes");
        }
        StreamException refusal = admit();
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        PendingAppend.Single append = new PendingAppend.Single(copy(record));
        intake.put(() -> machine.append(append), append.bytes());
        return append.outcome();
    }

    @Override
    public CompletableFuture<List<DLSN>> appendAtomically(List<LogRecord> records) {
        if (records.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        long bytes = 0;
        for (LogRecord record : records) {
            bytes += record.payload().remaining();
        }
        long encoded =
                bytes + EntryFormat.HEADER_BYTES_MAX + (long) records.size() * EntryFormat.RECORD_OVERHEAD_BYTES_MAX;
        if (bytes > LogRecord.PAYLOAD_BYTES_MAX || encoded > Limits.ENTRY_PAYLOAD_BYTES_MAX) {
            return tooLarge("a batch of " + records.size() + " records with " + bytes + " bytes");
        }
        StreamException refusal = admit();
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        List<RecordBytes> copies = new ArrayList<>(records.size());
        records.forEach(record -> copies.add(copy(record)));
        PendingAppend.Atomic append = new PendingAppend.Atomic(copies);
        intake.put(() -> machine.append(append), append.bytes());
        return append.outcome();
    }

    private <T> CompletableFuture<T> tooLarge(String what) {
        return CompletableFuture.failedFuture(new StreamException.RecordTooLarge("stream '" + stream + "': " + what
                + " is too large: at most " + LogRecord.PAYLOAD_BYTES_MAX + " bytes"));
    }

    /** Waits for room; tells why the call may not go on. */
    private @Nullable StreamException admit() {
        return switch (intake.admit(machine.isStopped())) {
            case ADMITTED -> null;
            case BUSY ->
                new StreamException.WriterBusy("stream '" + stream + "': more than " + Intake.BYTES_MAX
                        + " bytes are in flight and an internal thread must not wait");
            case INTERRUPTED ->
                new StreamException.WriterBusy(
                        "stream '" + stream + "': the thread was interrupted while it waited, with more than "
                                + Intake.BYTES_MAX + " bytes in flight; nothing was appended");
        };
    }

    private static RecordBytes copy(LogRecord record) {
        ByteBuffer payload = record.payload();
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return new RecordBytes(record.transactionId(), bytes);
    }

    @Override
    public DLSN appendAndWait(LogRecord record) {
        internal.requireForeign("appendAndWait");
        return internal.await(stream, "appendAndWait", append(record));
    }

    @Override
    public CompletableFuture<DLSN> flush() {
        CompletableFuture<DLSN> outcome = new CompletableFuture<>();
        intake.put(() -> machine.flush(outcome), 0);
        return outcome;
    }

    @Override
    public DLSN lastPosition() {
        return machine.durable().position();
    }

    @Override
    public long lastTransactionId() {
        return machine.durable().transactionId();
    }

    @Override
    public CompletableFuture<DLSN> seal() {
        CompletableFuture<DLSN> outcome = new CompletableFuture<>();
        intake.put(() -> machine.seal(outcome), 0);
        return outcome.thenCompose(last -> free.thenApply(released -> last));
    }

    @Override
    public CompletableFuture<Void> closeWriter() {
        intake.put(machine::close, 0);
        return free.thenCompose(released -> machine.closed()).copy();
    }

    @Override
    public void close() {
        internal.requireForeign("close");
        internal.await(stream, "close", closeWriter());
    }
}
