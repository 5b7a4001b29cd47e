// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S9: an application that sends again whatever it does not know to be stored stores each record once, in order. On simulated loops. */
final class ExactlyOnceTest extends StreamSuite {
    private static final int RECORDS = 10_000;
    private static final int FAILURES_PERCENT = 5;
    private static final int SENT_AT_ONCE_MAX = 40;

    private final SimulatedStage world = new SimulatedStage(11);
    private final FaultyStores stores = new FaultyStores(world.stores());
    private final SimulatedStage.Program program = world.program("faulty", stores);

    /** Where each transaction id was told to be stored. */
    private final TreeMap<Long, DLSN> told = new TreeMap<>();

    private int failures;

    @Override
    Stage newStage() {
        return world;
    }

    /** What a careful application does: whenever an append fails it opens a new writer and sends everything again from the first record on that it has no position of. */
    private void sendAll(LogStream stream, Random random) {
        LogWriter writer = writer(stream);
        while (told.size() < RECORDS) {
            long first = told.size() + 1L;
            long end = Math.min(RECORDS + 1L, first + 1 + random.nextInt(SENT_AT_ONCE_MAX));
            // Some are sent again though they are known, as by an application that forgot.
            long from = Math.max(1, first - random.nextInt(3));
            List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
            for (long id = from; id < end; id++) {
                injectFailure(random);
                outcomes.add(writer.append(LogRecord.of(id, "record " + id)));
                if (random.nextInt(4) == 0) {
                    world.world().runFor(random.nextInt(50_000));
                }
            }
            if (!keepWhatIsTold(from, outcomes)) {
                writer = writer(stream);
            }
        }
    }

    private void injectFailure(Random random) {
        if (random.nextInt(100) >= FAILURES_PERCENT) {
            return;
        }
        failures++;
        if (random.nextInt(4) == 0) {
            stores.nextCommit(
                    random.nextBoolean() ? FaultyStores.Commit.DONE_UNKNOWN : FaultyStores.Commit.NOT_DONE_UNKNOWN);
        } else {
            program.ledgers().failNextEntry(random.nextBoolean());
        }
    }

    /** Whether all went well. A position that is told twice must be the same one. */
    private boolean keepWhatIsTold(long from, List<CompletableFuture<DLSN>> outcomes) {
        for (int i = 0; i < outcomes.size(); i++) {
            CompletableFuture<DLSN> outcome = outcomes.get(i);
            world.await(outcome.handle((position, failure) -> true));
            if (outcome.isCompletedExceptionally()) {
                return false;
            }
            DLSN before = told.put(from + i, outcome.join());
            assertThat(before == null || before.equals(outcome.join()))
                    .as("record %d is told to be at %s and at %s", from + i, before, outcome.join())
                    .isTrue();
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void tenThousandStrictAppendsAreEachStoredOnceInOrder(long seed) {
        StreamOptions options = StreamOptions.DEFAULT
                .withTransactionIdMode(TransactionIdMode.STRICT)
                .withSegmentBounds(Duration.ZERO, seed * 20_000);
        LogStream stream = await(program.namespace().openStream(name(), OpenMode.CREATE_NEW, options));

        sendAll(stream, new Random(seed));

        assertThat(failures).isGreaterThan(RECORDS * FAILURES_PERCENT / 100 / 2);
        List<PositionedRecord> records = read(reader(stream, StartPosition.earliest()), RECORDS);
        assertThat(ids(records)).isEqualTo(numbers(1, RECORDS));
        assertThat(positions(records)).containsExactlyElementsOf(told.values());
        assertThat(await(writer(stream).append(LogRecord.of(RECORDS, "again")))).isEqualTo(told.get((long) RECORDS));
    }
}
