// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.Situations;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Crashes, partitions and a bad metadata store while a writer, tail readers and recoverers are at work: L1 to L15 hold whatever happens. */
final class LedgerChaosTest {
    private static final int BOOKIES = 6;
    private static final List<Quorums> QUORUMS = List.of(
            new Quorums(3, 3, 2),
            new Quorums(4, 3, 2),
            new Quorums(5, 3, 2),
            new Quorums(3, 3, 3),
            new Quorums(3, 2, 2));

    private static final Map<String, String> BOUNDS = Map.of(
            "ledger.writer-bytes-max", "64KiB",
            "ledger.bookie-bytes-max", "64KiB",
            "ledger.client-bytes-max", "64KiB",
            "ledger.lag-timeout", "100ms");
    private static final List<FaultyLedgerStore.Mode> MODES = List.of(FaultyLedgerStore.Mode.values());
    private static final Map<String, Long> REACHED = new TreeMap<>();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("daybook.seeds", 12));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAcknowledgedEntrySurvivesAndEverybodyAgrees(long seed) { // P-69, S-10
        Run run = new Run(seed);
        run.play();
        run.cluster.world.faults().reached().forEach((situation, count) -> REACHED.merge(situation, count, Long::sum));
    }

    @AfterAll
    static void theRunsHaveReachedWhatTheyAreFor() {
        assertThat(REACHED)
                .containsKeys(
                        Situations.ENSEMBLE_CHANGED,
                        Situations.CHANGE_SETTLED_BY_READING,
                        Situations.WRITER_FENCED,
                        Situations.RECOVERY_COPIES_ENTRY,
                        Situations.TWO_RECOVERERS,
                        Situations.APPEND_WAITED);
    }

    /** One run. */
    private static final class Run {
        private final SimulatedCluster cluster;
        private final SimulatedRandom random;
        private final FaultyLedgerStore writerStore;
        private final LedgerWriter writer;
        private final Map<Long, Long> payloadOfAcked = new TreeMap<>();
        private final Map<Long, Long> seen = new TreeMap<>();
        private final List<CompletableFuture<LedgerReader>> recoveries = new ArrayList<>();
        private final List<AssertionError> violations = new ArrayList<>();
        private final boolean[] isDown = new boolean[BOOKIES];
        private long appended;
        private long ended;
        private long refused;
        private boolean hasFailed;

        Run(long seed) {
            cluster = new SimulatedCluster(seed, BOOKIES);
            random = cluster.world.random("chaos");
            writerStore = new FaultyLedgerStore(
                    cluster.world, cluster.session("writer").ledgers(), 300_000);
            LedgerClient client = cluster.client("writer", SimulatedCluster.settings(BOUNDS), writerStore);
            Quorums quorums = QUORUMS.get(random.below(QUORUMS.size()));
            writer = cluster.await(client.create(CreateOptions.DEFAULT.withQuorums(quorums)));
        }

        void play() {
            LedgerReader tail = cluster.await(cluster.client("tail").open(writer.ledgerId(), OpenOptions.DEFAULT));
            follow(tail, 0);
            int steps = 10 + random.below(20);
            for (int step = 0; step < steps; step++) {
                act();
                cluster.world.runFor(1 + random.below(30_000_000));
            }
            heal();
            LedgerReader end = cluster.await(cluster.client("last").recover(writer.ledgerId(), OpenOptions.DEFAULT));
            check(end);
            cluster.world.runFor(10 * SECOND);
            assertThat(ended).as("V7: every append has ended").isEqualTo(appended);
            if (!hasFailed) {
                assertThat(seen).as("V3: the tail reader has seen everything").hasSize((int) (appended - refused));
            }
            checkRecoveries(end.lastAddConfirmed());
            assertThat(violations).isEmpty();
            assertThat(seen.keySet()).allMatch(id -> id <= end.lastAddConfirmed());
        }

        private void act() {
            switch (random.below(12)) {
                case 0 -> crashOne();
                case 1 -> restartOne();
                case 2 ->
                    cluster.world
                            .network()
                            .partition(
                                    List.of(random.below(2) == 0 ? "writer" : "tail"),
                                    List.of(SimulatedCluster.bookieName(random.below(BOOKIES))),
                                    random.below(2) == 0 ? PartitionMode.HOLD : PartitionMode.RESET);
                case 3 -> cluster.world.network().heal();
                case 4 -> writerStore.mode(MODES.get(random.below(MODES.size())));
                case 5 -> cluster.world.network().reset("writer", SimulatedCluster.bookieName(random.below(BOOKIES)));
                case 6 -> maybeRecover();
                case 7 -> slowDown();
                default -> appendSome(1 + random.below(120));
            }
        }

        /** S-43: a bookie takes what the writer sends at a tenth of the rate or less. */
        private void slowDown() {
            LinkQuality slow = new LinkQuality(30_000, 70_000, 10_000 + random.below(200_000));
            cluster.world.network().quality("writer", SimulatedCluster.bookieName(random.below(BOOKIES)), slow);
        }

        private void crashOne() {
            int bookie = random.below(BOOKIES);
            int down = 0;
            for (boolean each : isDown) {
                down += each ? 1 : 0;
            }
            if (!isDown[bookie] && down < 2) {
                isDown[bookie] = true;
                cluster.crashBookie(bookie);
            }
        }

        private void restartOne() {
            for (int bookie = 0; bookie < BOOKIES; bookie++) {
                if (isDown[bookie]) {
                    isDown[bookie] = false;
                    cluster.restartBookie(bookie);
                    return;
                }
            }
        }

        private void maybeRecover() {
            // Two at a time, so that they meet.
            for (int i = 0; i < 2 && appended > 60 && recoveries.size() < 4; i++) {
                String name = "recoverer-" + recoveries.size();
                FaultyLedgerStore store = new FaultyLedgerStore(
                        cluster.world, cluster.session(name).ledgers(), 300_000);
                LedgerClient client = cluster.client(name, SimulatedCluster.settings(), store);
                recoveries.add(client.recover(writer.ledgerId(), OpenOptions.DEFAULT));
                cluster.world.after(random.below(3_000_000), () -> store.mode(FaultyLedgerStore.Mode.ANSWER_LOST));
                cluster.world.after(SECOND, () -> store.mode(FaultyLedgerStore.Mode.GOOD));
            }
        }

        private void heal() {
            cluster.world.network().heal();
            for (int bookie = 0; bookie < BOOKIES; bookie++) {
                cluster.world.network().quality("writer", SimulatedCluster.bookieName(bookie), LinkQuality.LOCAL);
            }
            writerStore.mode(FaultyLedgerStore.Mode.GOOD);
            for (int bookie = 0; bookie < BOOKIES; bookie++) {
                restartOne();
            }
            cluster.world.runFor(random.below(2) * SECOND);
        }

        private void appendSome(int count) {
            for (int i = 0; i < count && refused == 0; i++) {
                long number = appended++;
                ByteBuf payload = Unpooled.buffer(300).writeLong(number).writeZero(random.below(200));
                writer.append(payload, new LedgerWriter.AppendListener() {
                    @Override
                    public void appended(long entryId) {
                        ended++;
                        assertThat(hasFailed)
                                .as("L15: nothing is acknowledged after a failure")
                                .isFalse();
                        assertThat(entryId).as("L1: in order").isEqualTo(payloadOfAcked.size());
                        assertThat(entryId).isEqualTo(number);
                        payloadOfAcked.put(entryId, number);
                    }

                    @Override
                    public void failed(LedgerException failure) {
                        ended++;
                        if (failure instanceof LedgerException.NoRoom) {
                            refused++; // And so are all that follow: nobody asks for room.
                        } else {
                            hasFailed = true;
                        }
                    }
                });
            }
        }

        private void follow(LedgerReader reader, long next) {
            reader.readTail(next, 50, 8192, 5 * SECOND).whenComplete((entries, failure) -> {
                try {
                    if (failure == null) {
                        take(reader, entries, next);
                    } else {
                        assertThat(failure).isInstanceOf(LedgerException.class);
                        reader.loop().schedule(50_000_000, () -> follow(reader, next));
                    }
                } catch (AssertionError violated) {
                    violations.add(violated);
                }
            });
        }

        private void take(LedgerReader reader, LedgerEntries entries, long next) {
            long after = next;
            try (entries) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    assertThat(entry.entryId()).isEqualTo(after);
                    seen.put(entry.entryId(), payloadOf(entry));
                    after++;
                }
                assertThat(after - 1).as("L11").isLessThanOrEqualTo(reader.lastAddConfirmed());
            }
            if (!reader.isClosed() || after <= reader.lastAddConfirmed()) {
                follow(reader, after);
            }
        }

        private static long payloadOf(LedgerEntries.Entry entry) {
            return entry.payload().getLong(entry.payload().readerIndex());
        }

        private void check(LedgerReader end) {
            long last = end.lastAddConfirmed();
            assertThat(last)
                    .as("L3: no acknowledged entry is cut off")
                    .isGreaterThanOrEqualTo(payloadOfAcked.size() - 1);
            long next = 0;
            while (next <= last) {
                try (LedgerEntries entries = cluster.await(end.read(next, 1000, 64 * 1024))) {
                    for (LedgerEntries.Entry entry : entries.list()) {
                        long payload = payloadOf(entry);
                        assertThat(payload).as("entry %d", next).isEqualTo(next);
                        assertThat(seen.getOrDefault(next, payload)).isEqualTo(payload);
                        next++;
                    }
                }
            }
        }

        private void checkRecoveries(long end) {
            for (CompletableFuture<LedgerReader> recovery : recoveries) {
                cluster.world.runUntil(recovery::isDone, 60 * SECOND);
                assertThat(recovery).isDone();
                try {
                    assertThat(recovery.join().lastAddConfirmed())
                            .as("L7: one end")
                            .isEqualTo(end);
                } catch (CompletionException failure) {
                    assertThat(failure).hasCauseInstanceOf(LedgerException.class);
                }
            }
        }
    }
}
