// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace.Renamed;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.segment.StreamDefects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * D-133, S14: programs give streams other names at random, back and forth, while others write them, follow them and die, answers of the metadata store are lost, and a maintainer
 * searches for orphans all the time: one seed gives one run. What was acknowledged is found in the end under one name, once and in the order of its stream, and no position of a name
 * means two records.
 */
final class RenameSimulationTest {
    private static final int SEEDS = Integer.getInteger("daybook.seeds", 15);
    private static final int HUNT_SEEDS_MAX = 40;
    private static final int STEPS = 250;
    private static final int PROGRAMS = 3;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final StreamOptions SHORT_SEGMENTS =
            StreamOptions.DEFAULT.withSegmentBounds(Duration.ofMillis(100), 200);
    private static final MaintenanceConfig EAGER =
            new MaintenanceConfig(true, Duration.ofSeconds(1), Duration.ofSeconds(1));

    @Test
    void whatWasAcknowledgedIsFoundOnceWhateverItsStreamIsCalled() {
        int renames = 0;
        int shifted = 0;
        int told = 0;
        int records = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            World world = new World(seed);
            try {
                world.run();
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
            }
            renames += world.renames;
            shifted += world.shifted;
            told += world.told;
            records += world.acknowledged.size();
        }
        assertThat(renames).as("renames").isGreaterThan(SEEDS * 2);
        assertThat(shifted).as("renames that shifted positions").isGreaterThan(SEEDS / 2);
        assertThat(told).as("readers and writers that were told the new name").isGreaterThan(SEEDS / 2);
        assertThat(records).as("records").isGreaterThan(SEEDS * 50);
    }

    @Test
    void renameThatDoesNotRecoverIsFound() {
        // D19
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= HUNT_SEEDS_MAX; seed++) {
                        World world = new World(seed);
                        world.stage.world().faults().plant(StreamDefects.OLD_SEGMENTS_NOT_RECOVERED);
                        world.run();
                    }
                })
                .isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    /** One run. */
    private static final class World {
        private final Random random;
        private final SimulatedStage stage;
        private final List<StreamsNamespace> programs = new ArrayList<>();
        private final List<FaultyStores> stores = new ArrayList<>();
        private final Map<String, String> recordAt = new HashMap<>();
        private final Map<String, Integer> acknowledged = new TreeMap<>();
        private final List<String> wrong = new ArrayList<>();
        private int values;
        private int starts;
        private int renames;
        private int shifted;
        private int told;

        World(long seed) {
            random = new Random(seed);
            stage = new SimulatedStage(seed);
            for (int i = 0; i < PROGRAMS; i++) {
                stores.add(new FaultyStores(stage.newSession()));
                programs.add(start(stores.get(i)));
            }
            start(new FaultyStores(stage.newSession())).maintain(EAGER, report -> {});
        }

        private StreamsNamespace start(FaultyStores seen) {
            return stage.program("program " + ++starts, seen).namespace();
        }

        private String name() {
            return NAMES.get(random.nextInt(NAMES.size()));
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                act(random.nextInt(PROGRAMS), random.nextInt(100));
                stage.world().runFor(random.nextInt(3) == 0 ? random.nextInt(60_000_000) : random.nextInt(200_000));
            }
            stage.world().runFor(Duration.ofSeconds(60).toNanos());
            assertThat(wrong).isEmpty();
            check();
        }

        private void act(int program, int dice) {
            if (dice < 50) {
                write(programs.get(program), name());
            } else if (dice < 70) {
                rename(programs.get(program), name(), name());
            } else if (dice < 80) {
                FaultyStores.Commit[] all = FaultyStores.Commit.values();
                stores.get(program).nextCommit(all[random.nextInt(all.length)]);
            } else if (dice < 97) {
                String name = name();
                programs.get(program)
                        .openStream(name, OpenMode.MUST_EXIST)
                        .thenCompose(stream -> stream.openReader(StartPosition.earliest()))
                        .thenAccept(reader -> readOn(reader, name));
            } else {
                // The program is gone for the rest of the run, with whatever it was about to do; another one comes.
                stores.get(program).away(true);
                stores.set(program, new FaultyStores(stage.newSession()));
                programs.set(program, start(stores.get(program)));
            }
        }

        private void write(StreamsNamespace program, String name) {
            OpenMode mode = random.nextInt(10) == 0 ? OpenMode.CREATE_IF_MISSING : OpenMode.MUST_EXIST;
            program.openStream(name, mode, SHORT_SEGMENTS)
                    .thenCompose(stream -> stream.openWriter(WriterOptions.DEFAULT.takingOver()))
                    .thenAccept(writer -> append(writer, name, 1 + random.nextInt(4)));
        }

        private void append(LogWriter writer, String name, int count) {
            for (int i = 0; i < count; i++) {
                int number = values++;
                String value = "value " + number;
                writer.append(LogRecord.of(0, value)).whenComplete((position, failure) -> {
                    if (failure == null) {
                        acknowledged.put(value, number);
                        known(name, position, value);
                    } else {
                        isTold(failure);
                    }
                });
            }
        }

        private void isTold(Throwable failure) {
            Throwable root = Failures.rootOf(failure);
            told += root instanceof StreamException.StreamRenamed ? 1 : 0;
            if (root instanceof StreamException.Bug || root instanceof StreamException.Corrupt) {
                wrong.add(String.valueOf(root.getMessage()));
            }
        }

        private void known(String name, DLSN position, String value) {
            String before = recordAt.putIfAbsent(name + " " + position, value);
            if (before != null && !before.equals(value)) {
                wrong.add(position + " of " + name + " is " + before + " and " + value);
            }
        }

        private void rename(StreamsNamespace program, String from, String to) {
            program.rename(from, to, WriterOptions.DEFAULT.takingOver())
                    .whenComplete((Renamed done, Throwable failure) -> {
                        if (failure == null) {
                            renames++;
                            shifted += done.segmentShift() > 0 ? 1 : 0;
                        } else {
                            isTold(failure);
                        }
                    });
        }

        private void readOn(LogReader reader, String name) {
            reader.next().whenComplete((PositionedRecord record, Throwable failure) -> {
                if (failure == null) {
                    known(name, record.position(), record.payloadText());
                    readOn(reader, name);
                } else {
                    isTold(failure);
                }
            });
        }

        /** Every stream is taken over and read: together they hold every acknowledged record once. */
        private void check() {
            StreamsNamespace last = start(new FaultyStores(stage.newSession()));
            Map<String, String> found = new TreeMap<>();
            for (String name : stage.await(last.list("", "", 10)).names()) {
                LogStream stream = stage.await(last.openStream(name, OpenMode.MUST_EXIST));
                LogWriter writer = stage.await(stream.openWriter(WriterOptions.DEFAULT.takingOver()));
                DLSN end = writer.lastPosition();
                LogReader reader = stage.await(stream.openReader(StartPosition.earliest()));
                DLSN read = DLSN.BEFORE_ALL;
                while (read.compareTo(end) < 0) {
                    PositionedRecord record = stage.await(reader.next());
                    known(name, record.position(), record.payloadText());
                    assertThat(found.put(record.payloadText(), name))
                            .as(record.payloadText())
                            .isNull();
                    assertThat(record.position()).isGreaterThan(read);
                    read = record.position();
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(found.keySet()).containsAll(acknowledged.keySet());
        }
    }
}
