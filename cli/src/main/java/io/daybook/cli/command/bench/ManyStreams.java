// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.cli.terminal.Fields;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Writes and tails many streams at once in this process, and opens existing ones again one after the other. */
final class ManyStreams {
    private static final int AT_ONCE = 100;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Namespace namespace;
    private final StreamOptions options;
    private final Consumer<String> progress;
    private final List<LogStream> streams = new ArrayList<>();

    ManyStreams(Namespace namespace, StreamOptions options, Consumer<String> progress) {
        this.namespace = namespace;
        this.options = options;
        this.progress = progress;
    }

    /** Runs all of it; removes the streams. */
    Fields run(int count, int existing, int payloadBytes) {
        String run = "bench-" + Long.toHexString(System.nanoTime()) + '/';
        progress.accept("creating " + count + " streams");
        streams.addAll(all(count, i -> namespace.openStream(run + i, OpenMode.CREATE_NEW, options)));
        Fields fields = new Fields().with("streams", (long) count);
        writeAndTail(fields, new byte[payloadBytes]);
        openAgain(fields, Math.min(existing, count), new byte[payloadBytes]);
        progress.accept("removing the streams");
        all(count, i -> namespace.delete(run + i));
        return fields;
    }

    private void writeAndTail(Fields fields, byte[] payload) {
        int count = streams.size();
        long before = usedHeapBytes();
        progress.accept("opening a writer for each");
        List<LogWriter> writers = all(count, i -> streams.get(i).openWriter());
        long withWriters = usedHeapBytes();
        progress.accept("opening a reader for each");
        List<LogReader> readers = all(count, i -> streams.get(i).openReader(StartPosition.earliest()));
        long withReaders = usedHeapBytes();
        progress.accept("appending to each and waiting until its reader has it");
        long begun = System.nanoTime();
        List<CompletableFuture<PositionedRecord>> read =
                readers.stream().map(LogReader::next).toList();
        List<DLSN> positions = all(count, i -> writers.get(i).append(LogRecord.of(1, payload)));
        for (int i = 0; i < count; i++) {
            if (!read.get(i).join().position().equals(positions.get(i))) {
                throw new IllegalStateException("stream " + streams.get(i).name() + ": another record was read");
            }
        }
        long nanos = System.nanoTime() - begun;
        fields.with("heapBytesPerWriter", Math.max(0, withWriters - before) / count)
                .with("heapBytesPerReader", Math.max(0, withReaders - withWriters) / count)
                .with("heapBytesUsed", usedHeapBytes())
                .with("heapBytesMax", Runtime.getRuntime().maxMemory())
                .with("appendAndTailAllMillis", nanos / NANOS_PER_MILLI);
        readers.forEach(LogReader::close);
        all(count, i -> writers.get(i).closeWriter());
    }

    /** One after the other, as a program does that begins to write to a stream that is there. */
    private void openAgain(Fields fields, int count, byte[] payload) {
        progress.accept("opening " + count + " of them again, one append each");
        long[] nanos = new long[count];
        List<LogWriter> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            LogWriter writer = streams.get(i).openWriter().join();
            writer.append(LogRecord.of(2, payload)).join();
            nanos[i] = System.nanoTime() - begun;
            writers.add(writer);
        }
        all(count, i -> writers.get(i).closeWriter());
        Arrays.sort(nanos);
        fields.with("reopened", (long) count)
                .with("openAndAppendP50Millis", nanos[count / 2] / NANOS_PER_MILLI)
                .with("openAndAppendP99Millis", nanos[(int) (count * 0.99)] / NANOS_PER_MILLI)
                .with("openAndAppendMaxMillis", nanos[count - 1] / NANOS_PER_MILLI);
    }

    /** Some calls at once, in order. */
    private static <T> List<T> all(int count, IntFunction<CompletableFuture<T>> call) {
        List<T> outcomes = new ArrayList<>(count);
        for (int first = 0; first < count; first += AT_ONCE) {
            List<CompletableFuture<T>> underWay = new ArrayList<>();
            for (int i = first; i < Math.min(count, first + AT_ONCE); i++) {
                underWay.add(call.apply(i));
            }
            underWay.forEach(outcome -> outcomes.add(outcome.join()));
        }
        return outcomes;
    }

    /** What is reachable; a second collection frees what the first one finalised. */
    private static long usedHeapBytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
