// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of a stream's owner when its session ends; safety is the fence's business throughout (M5). On simulated loops. */
final class OwnershipFaultsTest extends StreamSuite {
    private static final WriterOptions POLITE = WriterOptions.DEFAULT.failingIfOwned();

    private final SimulatedStage world = new SimulatedStage(5);
    private final MemoryMetadataStores session = world.newSession();
    private final FaultyStores stores = new FaultyStores(session);
    private final SimulatedStage.Program program = world.program("owner", stores);

    @Override
    Stage newStage() {
        return world;
    }

    private LogStream createHere() {
        return await(program.namespace().openStream(name(), OpenMode.CREATE_NEW));
    }

    private void pass(Duration time) {
        world.world().runFor(time.toNanos());
    }

    @Test
    void ownerWhoseSessionEndsGoesOnAndTakesItsLockAgain() {
        LogWriter owner = await(createHere().openWriter());
        await(owner.append(record(1)));

        session.loseLocks();
        CompletableFuture<DLSN> meanwhile = owner.append(record(2));
        pass(Duration.ofSeconds(2));

        // D-61, D-18
        await(meanwhile);
        assertThat(failureOf(elsewhere("rival").openWriter(POLITE), StreamException.StreamOwned.class)
                        .owner())
                .isEqualTo("owner");
        await(owner.append(record(3)));
    }

    @Test
    void ownerThatHearsNothingOfADeletionIsNotToldOfRecordsOfTheSuccessor() {
        StreamOptions strict = StreamOptions.DEFAULT.withTransactionIdMode(StreamOptions.TransactionIdMode.STRICT);
        stores.keepLossesBack();
        LogWriter old = await(await(program.namespace().openStream(name(), OpenMode.CREATE_NEW, strict))
                .openWriter());
        append(old, 1, 1);
        append(old, 3, 3);
        await(namespace().delete(name()));
        append(writer(create(strict)), 1, 5);

        // S3, S9, S14: a record that was never stored is never acknowledged, whatever a successor has under its id
        failureOf(old.append(record(2)), StreamException.StreamNotFound.class);
        failureOf(old.append(record(4)), StreamException.StreamNotFound.class);
    }

    @Test
    void idleOwnerHearsThatItsStreamWasDeleted() {
        LogWriter owner = await(createHere().openWriter());
        await(owner.append(record(1)));
        String lock = "writer "
                + await(stage().metadata().read(name())).value().incarnation().hex();
        assertThat(await(world.stores().locks().holder(lock))).isPresent();
        program.ledgers().holdBack(true);
        CompletableFuture<DLSN> underWay = owner.append(record(2));
        pass(Duration.ofMillis(1));

        await(namespace().delete(name()));
        pass(Duration.ofSeconds(5));

        assertThat(failureOf(owner.append(record(3)), StreamException.StreamNotFound.class)
                        .outcome())
                .isEqualTo(StreamException.Outcome.FAILED);
        program.ledgers().holdBack(false);
        assertThat(failureOf(underWay, StreamException.StreamNotFound.class).outcome())
                .isEqualTo(StreamException.Outcome.UNKNOWN);
        failureOf(owner.closeWriter(), StreamException.StreamNotFound.class);
        assertThat(await(world.stores().locks().holder(lock))).isEmpty();
    }

    @Test
    void eachAttemptToTakeTheLockIsToldFromThoseBefore() {
        LogStream stream = createHere();
        LogWriter rival = await(elsewhere("rival").openWriter());
        CompletableFuture<LogWriter> waiting = stream.openWriter();
        pass(Duration.ofSeconds(5));
        await(rival.closeWriter());
        await(waiting);
        session.loseLocks();
        pass(Duration.ofSeconds(5));

        // M2: an attempt of which nobody knows the outcome is withdrawn, maybe when the next one has succeeded already
        assertThat(stores.lockTokens()).hasSizeGreaterThan(3).doesNotHaveDuplicates();
    }

    @Test
    void whoWaitsGetsTheStreamOfAnOwnerThatDied() {
        // D-64
        LogStream stream = createHere();
        List<DLSN> stored = append(await(stream.openWriter()), 1, 10);
        CompletableFuture<LogWriter> waiting = elsewhere("rival").openWriter();
        pass(Duration.ofSeconds(5));
        program.host().machine().crash();
        pass(Duration.ofSeconds(5));
        assertThat(waiting).isNotDone();

        session.close();

        // D-63
        LogWriter next = await(waiting);
        assertThat(next.lastPosition()).isEqualTo(stored.get(9));
    }

    @Test
    void idleOwnerWhoseSessionEndedHearsThatItWasTakenOver() {
        LogStream stream = createHere();
        LogWriter owner = await(stream.openWriter());
        await(owner.append(record(1)));
        CompletableFuture<LogWriter> waiting = elsewhere("rival").openWriter();

        stores.away(true);
        session.loseLocks();
        LogWriter next = await(waiting);
        stores.away(false);
        pass(Duration.ofSeconds(5));

        // S-42: it has stopped before anybody asks it for something
        CompletableFuture<Void> closing = owner.closeWriter();
        failureOf(closing, StreamException.WriterFenced.class);
        await(next.append(record(2)));
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 2))).containsExactly(1L, 2L);
    }

    @Test
    void takeOverWhoseSegmentWasTruncatedMeanwhileIsMadeAgain() { // M3, S6
        LogStream stream = createHere();
        LogStream rival = elsewhere("rival");
        await(writer(rival).append(record(1)));
        long firstLedger = world.ledgers().ids().get(0);
        stores.holdWhatIsListed();
        CompletableFuture<LogWriter> slow = opening(stream);
        pass(Duration.ofSeconds(1));
        LogWriter between = writer(rival);
        DLSN second = await(between.append(record(2)));
        await(between.closeWriter());
        await(rival.truncate(second));
        assertThat(world.ledgers().ids()).doesNotContain(firstLedger);

        stores.releaseListings();

        LogWriter writer = await(slow);
        await(writer.append(record(3)));
        assertThat(ids(read(reader(rival, StartPosition.earliest()), 2))).containsExactly(2L, 3L);
    }

    @Test
    void takeOverOfAStreamWhoseLedgerIsGoneWithoutRightSaysSo() {
        LogStream stream = createHere();
        await(writer(stream).append(record(1)));
        world.ledgers().ids().forEach(world.ledgers()::delete);

        failureOf(opening(elsewhere("rival")), StreamException.Corrupt.class);
    }

    @Test
    void ofManyWhoWaitEachGetsItsTurn() {
        LogStream stream = createHere();
        LogWriter owner = await(stream.openWriter());
        List<CompletableFuture<LogWriter>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(elsewhere("rival " + i).openWriter());
        }

        // D-62: in no order that is promised
        for (long id = 1; id <= 5; id++) {
            await(owner.append(record(id)));
            await(owner.closeWriter());
            pass(Duration.ofSeconds(1));
            List<CompletableFuture<LogWriter>> opened =
                    waiting.stream().filter(CompletableFuture::isDone).toList();
            assertThat(opened).hasSize(1);
            waiting.removeIf(CompletableFuture::isDone);
            owner = await(opened.get(0));
        }
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 5))).isEqualTo(numbers(1, 5));
    }

    @Test
    void waitEndsWithTheNamespace() {
        LogStream stream = createHere();
        await(stream.openWriter());
        StreamsNamespace other = world.namespace("other");
        CompletableFuture<LogWriter> waiting = await(other.openStream(name(), OpenMode.MUST_EXIST))
                .openWriter(WriterOptions.DEFAULT.waitingFor(Duration.ofDays(365_000)));

        await(other.shutdown());

        // D-62, D-100
        failureOf(waiting, StreamException.HandleClosed.class);
    }

    @Test
    void ownSealIsNoLossOfOwnershipThoughTheLockIsLostBeforeItIsKnown() {
        LogStream stream = createHere();
        LogWriter owner = await(stream.openWriter());
        DLSN last = await(owner.append(record(1)));
        stores.nextCommit(FaultyStores.Commit.DONE_UNKNOWN);
        CompletableFuture<DLSN> sealing = owner.seal();
        pass(Duration.ofMillis(5));

        session.loseLocks();

        // S12, M5: the look for who owns the stream finds it sealed
        assertThat(await(sealing)).isEqualTo(last);
        failureOf(elsewhere("rival").openWriter(POLITE), StreamException.EndOfStream.class);
    }
}
