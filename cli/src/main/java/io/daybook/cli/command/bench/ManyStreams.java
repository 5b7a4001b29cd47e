// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.cluster.BenchCluster;
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
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Writes and tails many streams at once in this process, and opens existing ones again one after the other. */
final class ManyStreams implements AutoCloseable {
    private static final int AT_ONCE = 200;
    private static final long IDLE_MILLIS = 10_000;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final BenchCluster cluster;
    private final Namespace namespace;
    private final StreamOptions options;
    private final Consumer<String> progress;
    private final List<LogStream> streams = new ArrayList<>();

    /** By the names of the streams. */
    private final Map<String, CompletableFuture<LogStream>> creations = new LinkedHashMap<>();

    private boolean isOver;

    /** Takes over the namespace. */
    ManyStreams(BenchCluster cluster, Namespace namespace, StreamOptions options, Consumer<String> progress) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.options = options;
        this.progress = progress;
    }

    /** Runs all of it; {@link #close} removes the streams. */
    Fields run(int count, int existing, int payloadBytes) {
        String run = "bench-" + Long.toHexString(System.nanoTime()) + '/';
        Fields fields = new Fields().with("streams", (long) count);
        progress.accept("creating " + count + " streams");
        long begun = System.nanoTime();
        streams.addAll(all(count, i -> create(run + i)));
        fields.with("createAllMillis", millisSince(begun));
        writeAndTail(fields, new byte[payloadBytes]);
        openAgain(fields, Math.min(existing, count), new byte[payloadBytes]);
        progress.accept("removing the streams");
        return fields;
    }

    private synchronized CompletableFuture<LogStream> create(String name) {
        if (isOver) {
            throw new IllegalStateException("the measurement was interrupted");
        }
        CompletableFuture<LogStream> creation = namespace.openStream(name, OpenMode.CREATE_NEW, options);
        creations.put(name, creation);
        return creation;
    }

    /** Removes the streams, also those that are being made, from any thread; then none is made any more. */
    @Override
    public void close() {
        List<Map.Entry<String, CompletableFuture<LogStream>>> made;
        synchronized (this) {
            isOver = true;
            made = List.copyOf(creations.entrySet());
        }
        all(made.size(), i -> delete(made.get(i).getKey(), made.get(i).getValue()));
        namespace.close();
    }

    private CompletableFuture<Void> delete(String name, CompletableFuture<LogStream> creation) {
        return creation.handle((made, failure) -> name)
                .thenCompose(namespace::delete)
                .exceptionally(left -> null);
    }

    private void writeAndTail(Fields fields, byte[] payload) {
        int count = streams.size();
        long before = usedHeapBytes();
        progress.accept("opening a writer for each");
        long begun = System.nanoTime();
        List<LogWriter> writers = all(count, i -> streams.get(i).openWriter());
        fields.with("openAllWritersMillis", millisSince(begun));
        long withWriters = usedHeapBytes();
        progress.accept("opening a reader for each");
        begun = System.nanoTime();
        List<LogReader> readers = all(count, i -> streams.get(i).openReader(StartPosition.earliest()));
        fields.with("openAllReadersMillis", millisSince(begun));
        long withReaders = usedHeapBytes();
        progress.accept("appending to each and waiting until its reader has it");
        begun = System.nanoTime();
        List<CompletableFuture<PositionedRecord>> read =
                readers.stream().map(LogReader::next).toList();
        List<DLSN> positions = all(count, i -> writers.get(i).append(LogRecord.of(1, payload)));
        for (int i = 0; i < count; i++) {
            if (!read.get(i).join().position().equals(positions.get(i))) {
                throw new IllegalStateException("stream " + streams.get(i).name() + ": another record was read");
            }
        }
        fields.with("appendAndTailAllMillis", millisSince(begun));
        progress.accept("letting all of them rest");
        rest(fields);
        fields.with("heapBytesPerWriter", Math.max(0, withWriters - before) / count)
                .with("heapBytesPerReader", Math.max(0, withReaders - withWriters) / count)
                .with("heapBytesUsed", usedHeapBytes())
                .with("heapBytesMax", Runtime.getRuntime().maxMemory())
                .with("threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
        readers.forEach(LogReader::close);
        all(count, i -> writers.get(i).closeWriter());
    }

    private static double millisSince(long begunNanos) {
        return (System.nanoTime() - begunNanos) / NANOS_PER_MILLI;
    }

    /** What so many open and idle writers and readers cost: every reader waits for the next record meanwhile. */
    private void rest(Fields fields) {
        OptionalLong requestsBefore = cluster.metadataRequests();
        long cpuBefore = cpuNanos();
        long begun = System.nanoTime();
        try {
            Thread.sleep(IDLE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        double seconds = millisSince(begun) / MILLIS_PER_SECOND;
        fields.with("idleCpuPercent", (cpuNanos() - cpuBefore) / NANOS_PER_MILLI / MILLIS_PER_SECOND / seconds * 100);
        if (requestsBefore.isPresent()) {
            long requests = cluster.metadataRequests().orElseThrow() - requestsBefore.orElseThrow();
            fields.with("idleMetadataRequestsPerSecond", requests / seconds);
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
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

    /** All calls, some at once; the outcomes in order. */
    private static <T> List<T> all(int count, IntFunction<CompletableFuture<T>> call) {
        List<CompletableFuture<T>> calls = new ArrayList<>(count);
        Semaphore room = new Semaphore(AT_ONCE);
        for (int i = 0; i < count; i++) {
            room.acquireUninterruptibly();
            calls.add(call.apply(i).whenComplete((done, failure) -> room.release()));
        }
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /** What is reachable; a second collection frees what the first one finalised. */
    private static long usedHeapBytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
