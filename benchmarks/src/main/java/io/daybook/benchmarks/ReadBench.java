// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.machine.CpuTimes;
import io.daybook.benchmarks.machine.PlainRead;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.testkit.cluster.LocalBookie;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Catching up: a stream that no bookie has in memory any more is read from its beginning, between two plain reads of the same files.
 *
 * <p>The bookies of a cluster in this process are stopped and started between writing and reading, so that nothing is answered from slabs. They write entry logs past the page
 * cache where they can, so it has none of them either.
 *
 * <p><i>Threading:</i> the caller waits for all of it.
 */
public final class ReadBench {
    private static final String STREAM = "bench/read";
    private static final int BATCH = 10_000;
    private static final Duration BATCH_WAIT = Duration.ofSeconds(10);
    private static final int UNDER_WAY_MAX = 10_000;
    private static final int BYTES_UNDER_WAY_MAX = 4 * 1024 * 1024;

    private final Plan plan;
    private final Consumer<String> progress;
    private final byte[] payload;

    /** What to do. */
    public record Plan(Quorums quorums, int records, int payloadBytes) {}

    /**
     * What came of it.
     *
     * @param records that were read
     * @param misplaced read in another's place, or with other bytes than were appended
     * @param entries in which they stood
     * @param requests that bookies got meanwhile
     * @param nanos from opening the reader to the last record
     * @param before plain read of the entry logs of one bookie, just before
     * @param after the same, just after
     * @param foreignCores processors that other work kept busy meanwhile
     */
    public record Result(
            long records,
            long misplaced,
            long entries,
            long requests,
            long nanos,
            PlainRead before,
            PlainRead after,
            double foreignCores) {
        /** Records a second. */
        public double perSecond() {
            return LoadBench.round(records * 1e9 / Math.max(1, nanos));
        }

        /** Of the plain reads, together. */
        public double plainMegabytesPerSecond() {
            return LoadBench.round(
                    (before.bytes() + after.bytes()) * 1e3 / Math.max(1, before.nanos() + after.nanos()));
        }
    }

    /** {@code progress} is told in a line what begins. */
    public ReadBench(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
        this.payload = LedgerAppends.payloadOf(plan.payloadBytes());
    }

    /** Measures on a cluster that is nobody else's; throws what it fails with. */
    public Result run(LocalCluster cluster) throws IOException, InterruptedException {
        progress.accept("writing " + plan.records() + " records");
        write(cluster);
        progress.accept("restarting the bookies");
        cluster.bookies().forEach(LocalBookie::stop);
        cluster.bookies().forEach(LocalBookie::restart);
        List<Path> logs = logs(cluster.bookie(0).directory());
        progress.accept("reading " + logs.size() + " files plainly, then the stream, then the files again");
        PlainRead before = PlainRead.of(logs);
        Reading reading = new Reading(requests(cluster));
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            reading.run(namespace);
        }
        return reading.result(requests(cluster), before, PlainRead.of(logs));
    }

    private static long requests(LocalCluster cluster) {
        return cluster.bookies().stream().mapToLong(LocalBookie::readRequests).sum();
    }

    private static List<Path> logs(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(CleanupBench::isLog).sorted().toList();
        }
    }

    private void write(LocalCluster cluster) throws InterruptedException {
        Quorums quorums = plan.quorums();
        StreamOptions options =
                StreamOptions.DEFAULT.withQuorums(quorums.ensembleSize(), quorums.writeQuorum(), quorums.ackQuorum());
        int window = Math.max(1, Math.min(UNDER_WAY_MAX, BYTES_UNDER_WAY_MAX / plan.payloadBytes()));
        Semaphore room = new Semaphore(window);
        AtomicReference<CompletableFuture<DLSN>> failed =
                new AtomicReference<>(CompletableFuture.completedFuture(DLSN.BEFORE_ALL));
        try (Namespace namespace = Namespace.open(cluster.uri().toString())) {
            LogWriter writer = namespace
                    .openStream(STREAM, OpenMode.CREATE_NEW, options)
                    .join()
                    .openWriter()
                    .join();
            for (int i = 0; i < plan.records(); i++) {
                room.acquire();
                CompletableFuture<DLSN> append = writer.append(LogRecord.of(i, payload));
                append.whenComplete((position, failure) -> {
                    if (failure != null) {
                        failed.set(append);
                    }
                    room.release();
                });
            }
            room.acquire(window);
            Objects.requireNonNull(failed.get()).join();
            writer.closeWriter().join();
        }
    }

    /** One read of the whole stream. */
    private final class Reading {
        private final long requestsBefore;
        private final ByteBuffer expected = ByteBuffer.wrap(payload).asReadOnlyBuffer();
        private final CpuTimes begun =
                CpuTimes.read(List.of(ProcessHandle.current().pid()));
        private double foreignCores;
        private long records;
        private long misplaced;
        private long entries;
        private long nanos;
        private DLSN last = DLSN.BEFORE_ALL;

        private Reading(long requestsBefore) {
            this.requestsBefore = requestsBefore;
        }

        private void run(Namespace namespace) {
            long start = System.nanoTime();
            try (LogReader reader = namespace
                    .openStream(STREAM, OpenMode.MUST_EXIST, StreamOptions.DEFAULT)
                    .join()
                    .openReader(StartPosition.earliest())
                    .join()) {
                while (records < plan.records()
                        && reader.nextBatch(BATCH, BATCH_WAIT).join() instanceof ReadResult.Records batch) {
                    batch.list().forEach(this::take);
                }
                nanos = System.nanoTime() - start;
            }
            foreignCores = CpuTimes.read(List.of(ProcessHandle.current().pid()))
                    .since(begun)
                    .foreignCores();
        }

        private void take(PositionedRecord record) {
            if (record.transactionId() != records || !record.payload().equals(expected)) {
                misplaced++;
            }
            DLSN position = record.position();
            if (position.segment() != last.segment() || position.entry() != last.entry() || records == 0) {
                entries++;
            }
            last = position;
            records++;
        }

        private Result result(long requestsAfter, PlainRead before, PlainRead after) {
            return new Result(
                    records,
                    misplaced,
                    entries,
                    requestsAfter - requestsBefore,
                    nanos,
                    before,
                    after,
                    LoadBench.round(foreignCores));
        }
    }
}
