// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * S14: programs delete a stream and make it again at random while others write it, follow it and hold positions of those that are gone, which they keep as texts: one seed gives one
 * run. No position ever means two records, and none of a stream that was deleted is taken by its successor.
 */
final class SuccessorSimulationTest {
    private static final int SEEDS = Integer.getInteger("daybook.seeds", 25);
    private static final int STEPS = 300;
    private static final int PROGRAMS = 3;
    private static final StreamOptions SHORT_SEGMENTS =
            StreamOptions.DEFAULT.withSegmentBounds(Duration.ofMillis(100), 200);

    @Test
    void noPositionMeansTwoRecordsAndNoSuccessorTakesThoseBefore() {
        int refused = 0;
        int successors = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                World world = new World(seed);
                world.run();
                refused += world.refused;
                successors += world.deletions;
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + wrong.getMessage(), wrong);
            }
        }
        assertThat(successors).as("streams that were deleted").isGreaterThan(SEEDS);
        assertThat(refused).as("positions that a successor refused").isGreaterThan(SEEDS);
    }

    /** One run. */
    private static final class World {
        private final Random random;
        private final SimulatedStage stage;
        private final List<StreamsNamespace> programs = new ArrayList<>();
        private final List<FaultyStores> stores = new ArrayList<>();
        private final Map<DLSN, String> recordAt = new HashMap<>();
        private final List<String> held = new ArrayList<>();
        private final Set<String> ofDeleted = new HashSet<>();
        private final List<String> wrong = new ArrayList<>();
        private int values;
        private int deletions;
        private int refused;

        World(long seed) {
            random = new Random(seed);
            stage = new SimulatedStage(seed);
            for (int i = 0; i < PROGRAMS; i++) {
                stores.add(new FaultyStores(stage.newSession()));
                programs.add(stage.program("program " + i, stores.get(i)).namespace());
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                act(random.nextInt(PROGRAMS), random.nextInt(100));
                stage.world().runFor(random.nextInt(3) == 0 ? random.nextInt(60_000_000) : random.nextInt(100_000));
            }
            stage.world().runFor(Duration.ofSeconds(60).toNanos());
            assertThat(wrong).isEmpty();
        }

        private void act(int program, int dice) {
            if (dice < 50) {
                write(programs.get(program));
            } else if (dice < 60) {
                delete(programs.get(program));
            } else if (dice < 65) {
                FaultyStores.Commit[] all = FaultyStores.Commit.values();
                stores.get(program).nextCommit(all[random.nextInt(all.length)]);
            } else if (!held.isEmpty()) {
                String text = held.get(random.nextInt(held.size()));
                use(programs.get(program), text, dice);
            }
        }

        private void write(StreamsNamespace program) {
            program.openStream("s", OpenMode.CREATE_IF_MISSING, SHORT_SEGMENTS)
                    .thenCompose(stream -> stream.openWriter(WriterOptions.DEFAULT.takingOver()))
                    .thenAccept(writer -> {
                        for (int count = 1 + random.nextInt(4); count > 0; count--) {
                            String value = "value " + values++;
                            writer.append(LogRecord.of(0, value)).thenAccept(position -> known(position, value));
                        }
                    });
        }

        private void known(DLSN position, String value) {
            String before = recordAt.putIfAbsent(position, value);
            if (before != null && !before.equals(value)) {
                wrong.add(position + " is " + before + " and " + value);
            }
            held.add(position.toString());
        }

        /** What was known when the deletion began is of a stream that is gone when it has succeeded. */
        private void delete(StreamsNamespace program) {
            List<String> gone = List.copyOf(held);
            program.delete("s").thenRun(() -> {
                ofDeleted.addAll(gone);
                deletions++;
            });
        }

        private void use(StreamsNamespace program, String text, int dice) {
            DLSN position = DLSN.parse(text);
            if (dice < 75) {
                ask(
                        program,
                        text,
                        stream -> stream.openReader(StartPosition.at(position))
                                .thenCompose(reader -> follow(reader, position)));
            } else if (dice < 85) {
                ask(
                        program,
                        text,
                        stream -> stream.openReader(
                                        StartPosition.after(position).orEarliest())
                                .thenCompose(reader -> follow(reader, position)));
            } else if (dice < 90) {
                ask(program, text, stream -> stream.truncate(position));
            } else if (dice < 95) {
                ask(
                        program,
                        text,
                        stream -> stream.subscriptions().create("sub" + values++, StartPosition.at(position)));
            } else {
                ask(
                        program,
                        text,
                        stream -> stream.subscriptions()
                                .create("sub" + values++, StartPosition.earliest())
                                .thenCompose((Subscription made) ->
                                        stream.subscriptions().set(made, position)));
            }
        }

        private void ask(StreamsNamespace program, String text, Function<LogStream, CompletableFuture<?>> call) {
            boolean isForeign = ofDeleted.contains(text);
            program.openStream("s", OpenMode.MUST_EXIST)
                    .thenCompose(stream -> call.apply(stream).thenApply(done -> true))
                    .whenComplete((done, failure) -> {
                        if (isForeign && failure == null) {
                            wrong.add(text + " of a stream that was deleted was taken by its successor");
                        } else if (Failures.rootOf(failure) instanceof StreamException.ForeignPosition) {
                            refused++;
                        } else if (Failures.rootOf(failure) instanceof StreamException.Bug bug) {
                            wrong.add(String.valueOf(bug.getMessage()));
                        }
                    });
        }

        /** The opening is what is asked; what is read must be what everybody knows of its place. */
        private CompletableFuture<Boolean> follow(LogReader reader, DLSN from) {
            readOn(reader, from);
            return CompletableFuture.completedFuture(true);
        }

        private void readOn(LogReader reader, DLSN from) {
            reader.next().thenAccept((PositionedRecord record) -> {
                if (record.position().compareTo(from) < 0) {
                    wrong.add("a reader from " + from + " gives " + record.position());
                }
                known(record.position(), record.payloadText());
                readOn(reader, record.position());
            });
        }
    }
}
