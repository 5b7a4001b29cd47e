// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.daybook.ledger.api.DigestKey;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.maintenance.StreamDeletion;
import io.daybook.stream.core.segment.HeadEdit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Streams whose entries have an HMAC, and programs with their key, another one or none (P-06); on simulated loops. */
final class SignedStreamTest extends StreamSuite {
    private static final DigestKey KEY = key("a key of sixteen bytes or more");
    private static final DigestKey OTHER_KEY = key("another key of sixteen bytes or more");
    private static final StreamOptions SIGNED = StreamOptions.DEFAULT.withDigest(StreamOptions.Digest.HMAC_SHA256);

    private final SimulatedStage world = new SimulatedStage(17);
    private final StreamsNamespace signing =
            world.program("signing", KEY, world.stores()).namespace();

    private static DigestKey key(String text) {
        return DigestKey.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    Stage newStage() {
        return world;
    }

    private LogStream createSigned() {
        return await(signing.openStream(name(), OpenMode.CREATE_NEW, SIGNED));
    }

    private LogStream withKey(FaultyStores stores, DigestKey key) {
        return await(world.program("other", key, stores).namespace().openStream(name(), OpenMode.MUST_EXIST));
    }

    /** The writer of a stream with the records 1 to 3, which hears of nothing but what bookies answer it. */
    private LogWriter deafWriter() {
        FaultyStores stores = new FaultyStores(world.stores());
        stores.deaf();
        stores.keepLossesBack();
        LogStream stream =
                await(world.program("deaf", KEY, stores).namespace().openStream(name(), OpenMode.CREATE_NEW, SIGNED));
        LogWriter writer = await(stream.openWriter());
        append(writer, 1, 3);
        return writer;
    }

    @Test
    void deletionWithoutTheKeyStopsAWriterThatHearsOfNothing() {
        LogWriter writer = deafWriter();
        world.ledgers().keepDeleted(true);

        await(namespace().delete(name()));

        // P-06: nobody needs the key to stop a writer
        failureOf(writer.append(record(4)), StreamException.WriterFenced.class);
    }

    @Test
    void deletionGoesOnAndSaysSoWhenTooFewBookiesAnswerToBeFenced() {
        deafWriter();
        world.ledgers().failFences(true);
        Logger logger = (Logger) LoggerFactory.getLogger(StreamDeletion.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            await(namespace().delete(name()));
        } finally {
            logger.detachAppender(lines);
        }

        // P-06
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains(name()))
                .anyMatch(line -> line.contains("state=DELETED_UNFENCED"));
        assertThat(world.ledgers().ids()).isEmpty();
        assertThat(await(namespace().list("", "", 10)).names()).isEmpty();
    }

    @Test
    void streamIsNotTakenOverWhileNobodyCanTellWhetherTheKeyIsRight() {
        LogStream stream = createSigned();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());
        LogStream other = withKey(new FaultyStores(world.stores()), OTHER_KEY);

        world.ledgers().failOpens(true);
        failureOf(other.openWriter(), StreamException.Unavailable.class);
        world.ledgers().failOpens(false);

        failureOf(other.openWriter(), StreamException.WrongKey.class);
        append(writer(stream), 4, 4);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 4))).isEqualTo(numbers(1, 4));
    }

    @Test
    void keyOfASuccessorIsNotAskedOfWhoOpensTheStreamBeforeIt() {
        createSigned();
        FaultyStores slow = new FaultyStores(world.stores());
        LogStream old = withKey(slow, OTHER_KEY);
        slow.holdListings();
        CompletableFuture<LogWriter> opening = old.openWriter(WriterOptions.DEFAULT.takingOver());
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        await(namespace().delete(name()));
        LogStream successor = createSigned();
        LogWriter writer = writer(successor);
        append(writer, 1, 3);
        await(writer.closeWriter());

        slow.releaseListings();

        // S14: what it listed are segments of another stream
        failureOf(opening, StreamException.StreamNotFound.class);
        assertThat(ids(read(reader(successor, StartPosition.earliest()), 3))).isEqualTo(numbers(1, 3));
    }

    @Test
    void digestOfASuccessorIsNotTakenForDamageOfTheStreamBeforeIt() {
        LogStream stream = await(namespace().openStream(name(), OpenMode.CREATE_NEW));
        append(writer(stream), 1, 3);
        FaultyStores slow = new FaultyStores(world.stores());
        LogStream old = withKey(slow, KEY);
        slow.holdListings();
        CompletableFuture<?> last = old.lastRecord();
        CompletableFuture<?> opening = old.openReader(StartPosition.latest());
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        await(namespace().delete(name()));
        append(writer(createSigned()), 1, 3);

        slow.releaseListings();

        // S14
        failureOf(last, StreamException.StreamNotFound.class);
        failureOf(opening, StreamException.StreamNotFound.class);
    }

    /** The first segment of a stream without digest of a key, with the records 1 to 3. */
    private SegmentMetadata forgery() {
        LogStream forged = await(namespace().openStream(name() + ".forged", OpenMode.CREATE_NEW));
        LogWriter writer = writer(forged);
        append(writer, 1, 3);
        await(writer.closeWriter());
        return segment(name() + ".forged");
    }

    private SegmentMetadata segment(String of) {
        return await(stage().metadata().segments(of, 0, 10)).items().get(0);
    }

    /** Puts the ledger of another segment in place of that of the stream's. */
    private void plant(SegmentMetadata segment) {
        Versioned<StreamMetadata> head = await(stage().metadata().read(name()));
        StreamMetadata next = new HeadEdit(head.value()).build(new WriteToken(1, 2));
        SegmentMetadata planted = segment.numbered(segment(name()).number());
        await(stage().metadata().commit(new StreamChange(next, head.version(), List.of(planted), List.of())));
    }

    @Test
    void ledgerWithoutTheDigestOfTheStreamIsNotReadAsItsSegment() {
        LogStream stream = createSigned();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());

        plant(forgery());

        assertThat(failureOf(reader(stream, StartPosition.earliest()).next(), StreamException.Corrupt.class))
                .hasMessageContaining(name())
                .hasMessageContaining("CRC32C")
                .hasMessageContaining("HMAC_SHA256");
        failureOf(stream.lastRecord(), StreamException.Corrupt.class);
        failureOf(stream.find(StartPosition.atTransactionId(2)), StreamException.Corrupt.class);
        failureOf(stream.openWriter(), StreamException.Corrupt.class);
    }

    @Test
    void damageIsNotToldWhileNobodyCanTellWhetherTheStreamIsStillThere() {
        LogWriter writer = writer(createSigned());
        append(writer, 1, 3);
        await(writer.closeWriter());
        FaultyStores stores = new FaultyStores(world.stores());
        LogStream stream = withKey(stores, KEY);
        plant(forgery());
        stores.awayAfterCalls(2);

        // S14: the ledger may be one of a successor
        failureOf(stream.lastRecord(), StreamException.Unavailable.class);
        stores.away(false);
        stores.awayAfterCalls(Integer.MAX_VALUE);
        failureOf(stream.lastRecord(), StreamException.Corrupt.class);
    }

    @Test
    void streamWhoseNewestLedgerIsGoneIsNotTakenOverWithoutThatItsKeyWasChecked() {
        LogStream stream = createSigned();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());

        world.ledgers().delete(segment(name()).ledgerId());

        // S2: nobody truncated it
        assertThat(failureOf(
                        withKey(new FaultyStores(world.stores()), OTHER_KEY).openWriter(),
                        StreamException.Corrupt.class))
                .hasMessageContaining("is gone");
        failureOf(stream.openWriter(), StreamException.Corrupt.class);
    }

    @Test
    void newestLedgerThatARivalTruncatedMeanwhileIsNotMissed() {
        LogStream stream = createSigned();
        LogWriter writer = writer(stream);
        append(writer, 1, 3);
        await(writer.closeWriter());
        FaultyStores slow = new FaultyStores(world.stores());
        LogStream other = withKey(slow, KEY);
        slow.holdWhatIsListed();
        CompletableFuture<LogWriter> opening = opening(other);
        world.world().runFor(Duration.ofSeconds(1).toNanos());
        LogWriter rival = writer(stream);
        List<DLSN> positions = append(rival, 4, 6);
        await(rival.closeWriter());
        await(stream.truncate(positions.get(0)));
        assertThat(segment(name()).number()).isEqualTo(2);

        slow.releaseListings();

        // S11, S6
        append(await(opening), 7, 7);
        assertThat(ids(read(reader(stream, StartPosition.earliest()), 4))).isEqualTo(numbers(4, 7));
    }

    @Test
    void ledgerWithoutTheDigestOfTheStreamIsNotSealedAsItsSegmentInProgress() {
        LogStream stream = createSigned();
        SegmentMetadata forged = forgery();
        writer(stream);
        SegmentMetadata own = segment(name());

        plant(new SegmentMetadata(
                own.number(),
                forged.ledgerId(),
                own.state(),
                own.firstTransactionId(),
                own.lastTransactionId(),
                own.recordCount(),
                own.firstSequenceId(),
                own.lastEntryId(),
                own.lastSlot(),
                own.epoch(),
                own.createdMillis(),
                own.completedMillis(),
                own.payloadBytes()));

        failureOf(opening(stream), StreamException.Corrupt.class);
        failureOf(stream.openReader(StartPosition.latest()), StreamException.Corrupt.class);
        assertThat(segment(name()).state()).isEqualTo(SegmentMetadata.State.IN_PROGRESS);
    }

    @Test
    void statusTellsWithoutTheKeyWhatNeedsNoEntry() {
        LogWriter writer = writer(createSigned());
        append(writer, 1, 3);
        await(writer.closeWriter());
        writer(await(signing.openStream(name(), OpenMode.MUST_EXIST)));

        StreamStatus status = await(elsewhere("without").status());

        assertThat(status.options()).isEqualTo(SIGNED);
        assertThat(status.epoch()).isEqualTo(2);
        assertThat(status.owner()).contains("signing");
        assertThat(status.segments().get(0).recordCount()).hasValue(3L);
        assertThat(status.segments()).hasSize(2);
        assertThat(status.records()).isEmpty();
    }
}
