// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * One stream that goes from owner to owner while it is written and followed. Each owner is a process that is killed, or stopped until another owns the stream, or simply
 * overtaken; at the end the stream is sealed and compared with what the owners were told. <i>Threading:</i> one thread.
 */
final class TakeOverLane implements Supplier<List<String>> {
    private static final int ACKNOWLEDGED_MIN = 20;
    private static final int ACKNOWLEDGED_MORE_MAX = 200;
    private static final int BATCH = 1000;
    /** For a machine that does much else. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** How an owner loses the stream. */
    enum Way {
        /** SIGKILL, then the next one takes over. */
        KILLED,
        /** SIGSTOP, the next one takes over and writes, SIGCONT. */
        PAUSED,
        /** The next one takes over while it works. */
        OVERTAKEN,
        /** SIGKILL while the next one waits, which gets the stream when the session has ended. */
        KILLED_BEFORE_A_WAITER,
        /** SIGSTOP while the next one waits, until the session has ended and the next one has written, SIGCONT. */
        PAUSED_PAST_ITS_SESSION;

        boolean isByWaiting() {
            return this == KILLED_BEFORE_A_WAITER || this == PAUSED_PAST_ITS_SESSION;
        }

        boolean isDeadly() {
            return this == KILLED || this == KILLED_BEFORE_A_WAITER;
        }
    }

    private final Namespace namespace;
    private final String uri;
    private final String name;
    private final int rounds;
    private final Random random;
    private final Runnable onRound;
    private final TakeOverHistory history = new TakeOverHistory();
    private final Map<Way, Integer> ways = new EnumMap<>(Way.class);
    private int records;

    /** What a lane is given beside its cluster. */
    record Task(String stream, int rounds, long seed) {}

    TakeOverLane(Namespace namespace, String uri, Task task, Runnable onRound) {
        this.namespace = namespace;
        this.uri = uri;
        this.name = task.stream();
        this.rounds = task.rounds();
        this.random = new Random(task.seed());
        this.onRound = onRound;
    }

    /** Runs it; returns what is wrong. */
    @Override
    public List<String> get() {
        LogStream stream = namespace
                .openStream(
                        name,
                        OpenMode.CREATE_NEW,
                        StreamOptions.DEFAULT.withSegmentBounds(Duration.ofSeconds(2), 64 * 1024))
                .join();
        CompletableFuture<List<PositionedRecord>> following = CompletableFuture.supplyAsync(
                () -> readAll(stream), task -> new Thread(task, "follows " + name).start());
        List<String> violations = new ArrayList<>();
        try {
            takeOverAgainAndAgain();
        } catch (IllegalStateException | CompletionException failure) {
            violations.add(name + ": " + failure.getMessage());
        }
        // What was acknowledged until then is looked for all the same.
        stream.openWriter(WriterOptions.DEFAULT.takingOver()).join().seal().join();
        List<PositionedRecord> tailed = following.join();
        List<PositionedRecord> log = readAll(stream);
        records = log.size();
        violations.addAll(history.violations(log, tailed));
        return violations;
    }

    /** Reads to the end of the sealed stream. */
    private static List<PositionedRecord> readAll(LogStream stream) {
        List<PositionedRecord> records = new ArrayList<>();
        try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
            ReadResult result = reader.nextBatch(BATCH, PATIENCE).join();
            while (result instanceof ReadResult.Records read) {
                records.addAll(read.list());
                result = reader.nextBatch(BATCH, PATIENCE).join();
            }
            if (!(result instanceof ReadResult.Ended)) {
                throw new IllegalStateException("V3: a reader saw nothing for " + PATIENCE);
            }
        }
        return records;
    }

    private void takeOverAgainAndAgain() {
        OwnerProcess owner = start(0);
        OwnerProcess next = start(1);
        try {
            owner.awaitReady();
            owner.open("take-over", name + "-0");
            owner.awaitOpened();
            for (int round = 1; round <= rounds; round++) {
                next.awaitReady();
                awaitLoad(owner);
                Way way = draw();
                handOver(owner, next, way, round);
                OwnerProcess old = owner;
                owner = next;
                next = way.isDeadly() ? start(round + 1) : old;
                onRound.run();
            }
            awaitLoad(owner);
        } finally {
            owner.close();
            next.close();
        }
    }

    private OwnerProcess start(int number) {
        return OwnerProcess.start(uri, name, name + "-" + number, history);
    }

    private Way draw() {
        Way[] all = Way.values();
        Way way = all[random.nextInt(all.length)];
        // Waiting for a session to end takes long, so that it is done less often.
        return way.isByWaiting() && random.nextBoolean() ? Way.PAUSED : way;
    }

    private void awaitLoad(OwnerProcess owner) {
        long wanted = owner.acknowledged() + ACKNOWLEDGED_MIN + random.nextInt(ACKNOWLEDGED_MORE_MAX);
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (owner.acknowledged() < wanted) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("V1: an owner of stream " + name + " does not get on: "
                        + owner.acknowledged() + " of " + wanted + " records after " + PATIENCE);
            }
            rest();
        }
    }

    private static void rest() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void handOver(OwnerProcess owner, OwnerProcess next, Way way, int round) {
        ways.merge(way, 1, Integer::sum);
        String how = way.isByWaiting() ? "wait" : "take-over";
        String session = name + "-" + round;
        switch (way) {
            case KILLED -> {
                owner.close();
                next.open(how, session);
                next.awaitOpened();
            }
            case KILLED_BEFORE_A_WAITER -> {
                next.open(how, session);
                awaitLoad(owner);
                owner.close();
                next.awaitOpened();
            }
            case OVERTAKEN -> {
                next.open(how, session);
                next.awaitOpened();
                owner.awaitEnded();
            }
            case PAUSED, PAUSED_PAST_ITS_SESSION -> {
                owner.signal("STOP");
                next.open(how, session);
                next.awaitOpened();
                awaitLoad(next);
                owner.signal("CONT");
                owner.awaitEnded();
            }
        }
    }

    /** How often each way was taken. */
    Map<Way, Integer> ways() {
        return ways;
    }

    /** Records of the stream in the end. */
    int records() {
        return records;
    }

    int acknowledged() {
        return history.acknowledgedCount();
    }
}
