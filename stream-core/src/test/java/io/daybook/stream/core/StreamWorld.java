// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** One random run of several programs on one stream, and the check of its history (S1 to S7, S10). */
final class StreamWorld implements AutoCloseable {
    private static final int PROGRAMS = 3;
    private static final int STEPS = 400;
    private static final MaintenanceConfig MAINTENANCE =
            new MaintenanceConfig(true, Duration.ofSeconds(1), Duration.ofSeconds(1));

    /** One append call. */
    private static final class Call {
        private final String value;
        private final long invokedNanos;
        private final int session;
        private long endedNanos = Long.MAX_VALUE;
        private CompletableFuture<DLSN> outcome = new CompletableFuture<>();

        private Call(String value, long invokedNanos, int session) {
            this.value = value;
            this.invokedNanos = invokedNanos;
            this.session = session;
        }

        private boolean isOk() {
            return outcome.isDone() && !outcome.isCompletedExceptionally();
        }

        private boolean surelyFailed() {
            return outcome.isCompletedExceptionally()
                    && Failures.rootOf(
                                    outcome.handle((done, failure) -> failure).join())
                            instanceof StreamException refused
                    && refused.outcome() == Outcome.FAILED;
        }
    }

    private record Session(int number, LogWriter writer) {}

    private static final class Running {
        private final SimulatedStage.Program program;
        private final FaultyStores stores;
        private final MemoryMetadataStores metadataSession;
        private final List<Session> sessions = new ArrayList<>();

        private Running(SimulatedStage.Program program, FaultyStores stores, MemoryMetadataStores metadataSession) {
            this.program = program;
            this.stores = stores;
            this.metadataSession = metadataSession;
        }
    }

    private final SimulatedStage stage;
    private final Random random;
    private final List<Running> programs = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<List<PositionedRecord>> readings = new ArrayList<>();
    private final boolean isToBeSealed;
    private final boolean isTruncated;
    private final List<CompletableFuture<DLSN>> truncations = new ArrayList<>();
    private DLSN truncatedBelowMax = DLSN.BEFORE_ALL;
    private final List<CompletableFuture<DLSN>> seals = new ArrayList<>();
    private long sealedNanos = Long.MAX_VALUE;
    private long knownTransactionId = -1;
    private final List<MemoryMetadataStores> ending = new ArrayList<>();
    private int sessions;
    private int started;

    StreamWorld(long seed, StreamOptions options, String... defects) {
        stage = new SimulatedStage(seed);
        for (String defect : defects) {
            stage.world().faults().plant(defect);
        }
        random = new Random(seed);
        isToBeSealed = seed % 4 == 0;
        isTruncated = seed % 5 < 2;
        for (int i = 0; i < PROGRAMS; i++) {
            programs.add(start());
        }
        stage.await(programs.get(0).program.namespace().openStream("s", OpenMode.CREATE_NEW, options));
    }

    private Running start() {
        MemoryMetadataStores metadataSession = stage.newSession();
        FaultyStores stores = new FaultyStores(metadataSession);
        Running running = new Running(stage.program("program " + started++, stores), stores, metadataSession);
        if (isTruncated) {
            running.program.namespace().maintain(MAINTENANCE, report -> {});
        }
        return running;
    }

    private LogStream stream(Running running) {
        return stage.await(running.program.namespace().openStream("s", OpenMode.MUST_EXIST));
    }

    /** Runs and checks it; returns how many records the stream has got. */
    int run() {
        for (int i = 0; i < STEPS; i++) {
            act(random.nextInt(100));
            if (isToBeSealed && i > STEPS * 3 / 4) {
                seal(programs.get(random.nextInt(PROGRAMS)));
            }
            stage.world().runFor(random.nextInt(4) == 0 ? random.nextInt(50_000_000) : random.nextInt(100_000));
        }
        stage.world().runFor(Duration.ofSeconds(60).toNanos());
        return check();
    }

    private void act(int dice) {
        Running running = programs.get(random.nextInt(PROGRAMS));
        if (dice < 60) {
            append(running);
        } else if (dice < 75) {
            open(running);
        } else if (dice < 80) {
            running.sessions.forEach(session -> session.writer().closeWriter());
        } else if (dice < 84) {
            running.program.ledgers().failNextEntry(random.nextBoolean());
        } else if (dice < 88) {
            FaultyStores.Commit[] all = FaultyStores.Commit.values();
            running.stores.nextCommit(all[random.nextInt(all.length)]);
        } else if (dice < 92) {
            running.program.host().machine().crash();
            programs.set(programs.indexOf(running), start());
            // The session outlives its program for a while.
            ending.add(running.metadataSession);
        } else if (dice < 94) {
            running.metadataSession.loseLocks();
            ending.forEach(MemoryMetadataStores::close);
            ending.clear();
        } else if (isTruncated && dice < 97) {
            truncate(running);
        } else if (readings.size() < (isTruncated ? 8 : 4)) {
            beginReading(running);
        }
    }

    private void append(Running running) {
        for (Session session : running.sessions) {
            for (int count = random.nextInt(6); count > 0; count--) {
                Call call = new Call("value " + calls.size(), stage.world().nanoTime(), session.number());
                calls.add(call);
                call.outcome = session.writer().append(LogRecord.of(0, call.value));
                call.outcome.whenComplete(
                        (done, failure) -> call.endedNanos = stage.world().nanoTime());
            }
        }
    }

    private void open(Running running) {
        int number = sessions++;
        WriterOptions how = switch (random.nextInt(4)) {
            case 0 -> WriterOptions.DEFAULT.failingIfOwned();
            case 1 -> WriterOptions.DEFAULT.waitingFor(Duration.ofMillis(random.nextInt(2000)));
            case 2 ->
                WriterOptions.DEFAULT
                        .takingOver()
                        .withBatches(Duration.ofMillis(random.nextInt(20)), WriterOptions.BATCH_BYTES_MIN);
            default -> WriterOptions.DEFAULT.takingOver();
        };
        running.program
                .namespace()
                .openStream("s", OpenMode.MUST_EXIST)
                .thenCompose(stream -> stream.openWriter(how))
                .thenAccept(writer -> running.sessions.add(new Session(number, writer)));
    }

    /** S12: the first seal that is acknowledged is the end. */
    private void seal(Running running) {
        if (random.nextInt(20) == 0) {
            for (Session session : running.sessions) {
                CompletableFuture<DLSN> seal = session.writer().seal();
                seals.add(seal);
                seal.thenAccept(last ->
                        sealedNanos = Math.min(sealedNanos, stage.world().nanoTime()));
            }
        }
    }

    /** S11: below a record that was acknowledged. */
    private void truncate(Running running) {
        List<DLSN> acknowledged = calls.stream()
                .filter(Call::isOk)
                .map(call -> call.outcome.join())
                .sorted()
                .toList();
        if (!acknowledged.isEmpty()) {
            DLSN below = acknowledged.get(random.nextInt(acknowledged.size()));
            truncatedBelowMax = below.compareTo(truncatedBelowMax) > 0 ? below : truncatedBelowMax;
            truncations.add(running.program
                    .namespace()
                    .openStream("s", OpenMode.MUST_EXIST)
                    .thenCompose(stream -> stream.truncate(below)));
        }
    }

    private void beginReading(Running running) {
        List<PositionedRecord> records = new ArrayList<>();
        readings.add(records);
        running.program
                .namespace()
                .openStream("s", OpenMode.MUST_EXIST)
                .thenCompose(stream -> stream.openReader(StartPosition.earliest()))
                .thenAccept(reader -> readOn(reader, records));
    }

    private static void readOn(LogReader reader, List<PositionedRecord> into) {
        reader.next().thenAccept(record -> {
            into.add(record);
            readOn(reader, into);
        });
    }

    // ---- the check ----

    private int check() {
        LogStream stream = stream(start());
        boolean isSealed = stage.await(stream.status()).isSealed();
        if (!isSealed) {
            LogWriter last = stage.await(stream.openWriter(WriterOptions.DEFAULT.takingOver()));
            knownTransactionId = last.lastTransactionId();
            stage.await(last.append(LogRecord.of(Math.max(0, knownTransactionId), "the end")));
        }
        List<PositionedRecord> log = readAll(stage.await(stream.openReader(StartPosition.earliest())), isSealed);
        checkSeals(log, isSealed);
        DLSN firstKept = checkTruncations(stage.await(stream.status()).firstKept());
        if (!isSealed && !isTruncated) {
            long lastButOne = log.size() < 2 ? -1 : log.get(log.size() - 2).transactionId();
            assertThat(knownTransactionId).as("S8: the last transaction id").isEqualTo(lastButOne);
        }
        Map<String, DLSN> kept = new HashMap<>();
        DLSN before = DLSN.BEFORE_ALL;
        long sequenceId = isTruncated && !log.isEmpty() ? log.get(0).sequenceId() : 0;
        for (PositionedRecord record : log) {
            assertThat(record.position()).as("S1").isGreaterThan(before);
            assertThat(record.sequenceId()).as("S2").isEqualTo(sequenceId++);
            assertThat(kept.put(record.payloadText(), record.position()))
                    .as("stored twice: %s", record.payloadText())
                    .isNull();
            before = record.position();
        }
        for (Call call : calls) {
            if (call.isOk() && call.outcome.join().compareTo(firstKept) >= 0) {
                assertThat(kept).as("S3").containsEntry(call.value, call.outcome.join());
            } else if (call.surelyFailed()) {
                assertThat(kept).as("a FAILED append is there").doesNotContainKey(call.value);
            }
        }
        checkOrder(kept);
        checkReadings(log);
        return Math.toIntExact(sequenceId);
    }

    private DLSN checkTruncations(DLSN firstKept) {
        DLSN beginning = new DLSN(1, 0, 0);
        assertThat(firstKept)
                .as("S11: no record that nobody truncated is gone")
                .isLessThanOrEqualTo(truncatedBelowMax.compareTo(beginning) > 0 ? truncatedBelowMax : beginning);
        for (CompletableFuture<DLSN> truncation : truncations) {
            if (truncation.isDone() && !truncation.isCompletedExceptionally()) {
                assertThat(firstKept).as("S11: it never goes back").isGreaterThanOrEqualTo(truncation.join());
            }
        }
        return firstKept;
    }

    /** Readers of a truncated stream begin later than others, and see the same from there on, without a gap. */
    private void checkReadings(List<PositionedRecord> log) {
        TreeMap<Long, PositionedRecord> seen = new TreeMap<>();
        log.forEach(record -> seen.put(record.sequenceId(), record));
        for (List<PositionedRecord> reading : readings) {
            if (!isTruncated) {
                assertThat(reading).as("S1, S10: what a reader saw").isEqualTo(log.subList(0, reading.size()));
            }
            long next = reading.isEmpty() ? 0 : reading.get(0).sequenceId();
            for (PositionedRecord record : reading) {
                assertThat(record.sequenceId()).as("S2: what a reader saw").isEqualTo(next++);
                PositionedRecord other = seen.putIfAbsent(record.sequenceId(), record);
                assertThat(other == null || other.equals(record))
                        .as("S1, S10: %s was seen as %s too", record, other)
                        .isTrue();
            }
        }
    }

    /** Up to the end of a stream that is sealed, or up to the last record. */
    private List<PositionedRecord> readAll(LogReader reader, boolean isSealed) {
        List<PositionedRecord> log = new ArrayList<>();
        while (true) {
            ReadResult result = stage.await(reader.nextBatch(1000, Duration.ofSeconds(20)));
            if (result instanceof ReadResult.Records records) {
                log.addAll(records.list());
            } else {
                assertThat(result).isInstanceOf(isSealed ? ReadResult.Ended.class : ReadResult.CaughtUp.class);
                return log;
            }
        }
    }

    private void checkSeals(List<PositionedRecord> log, boolean isSealed) {
        DLSN last = log.isEmpty() ? DLSN.BEFORE_ALL : log.get(log.size() - 1).position();
        for (CompletableFuture<DLSN> seal : seals) {
            if (seal.isDone() && !seal.isCompletedExceptionally()) {
                assertThat(isSealed).as("S12: sealed").isTrue();
                assertThat(seal.join()).as("S12: where it ends").isEqualTo(last);
            }
        }
        for (Call call : calls) {
            assertThat(call.isOk() && call.endedNanos > sealedNanos)
                    .as("S12: %s was acknowledged after the end", call.value)
                    .isFalse();
        }
    }

    /** S4: the order of one session. S5: whoever was called after another's acknowledgement comes after it. */
    private void checkOrder(Map<String, DLSN> kept) {
        Map<Integer, DLSN> lastOfSession = new HashMap<>();
        TreeMap<DLSN, Call> byPosition = new TreeMap<>();
        for (Call call : calls) {
            DLSN position = kept.get(call.value);
            if (position != null) {
                DLSN before = lastOfSession.put(call.session, position);
                assertThat(before == null || before.compareTo(position) < 0)
                        .as("S4")
                        .isTrue();
                byPosition.put(position, call);
            }
        }
        long earliestEnd = Long.MAX_VALUE;
        for (Call call : byPosition.descendingMap().values()) {
            assertThat(call.invokedNanos).as("S5: %s", call.value).isLessThanOrEqualTo(earliestEnd);
            if (call.isOk()) {
                earliestEnd = Math.min(earliestEnd, call.endedNanos);
            }
        }
    }

    @Override
    public void close() {
        stage.close();
    }
}
