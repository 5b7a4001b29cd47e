// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.bookie.scrub.ScrubConfig;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Disk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A bookie with ledgers in its metadata, whose cleanup makes rounds when it is told to. */
final class CleanupScene {
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long FILLER = 1_000_000;

    final SimulatedBookie one;
    final FaultyLedgerStore listing = new FaultyLedgerStore();
    private long nextFiller = FILLER;
    private long nextToken = 1;

    CleanupScene(long seed) {
        one = new SimulatedBookie(seed);
        one.ledgers = listing::over;
        // Its notes would be further operations of the disk.
        one.config = one.config.withScrub(new ScrubConfig(0, Duration.ofDays(1)));
        one.config = one.config.withCleanup(one.config
                .cleanup()
                .withTimes(Duration.ofDays(300), Duration.ofNanos(GRACE_NANOS), Duration.ofSeconds(1))
                .withShares(30, 80, Duration.ofDays(300)));
    }

    CleanupScene start() {
        one.format().start();
        return this;
    }

    LedgerMetadataStore metadata() {
        return one.stores().ledgers();
    }

    TestClient client() {
        return one.client(LinkKind.OTHER);
    }

    // ---- metadata ----

    void createLedgers(long... ledgerIds) {
        for (long ledgerId : ledgerIds) {
            create(ledgerId, one.cookie().bookieId(), false);
        }
    }

    /** A ledger that metadata places on another bookie. */
    void createElsewhere(long ledgerId, boolean closed) {
        create(ledgerId, new BookieId(7, 7), closed);
    }

    private void create(long ledgerId, BookieId bookie, boolean closed) {
        LedgerMetadata ledger = new LedgerMetadata(
                ledgerId,
                new Quorums(1, 1, 1),
                DigestType.CRC32C,
                closed ? LedgerState.CLOSED : LedgerState.OPEN,
                closed ? 1_000 : -1,
                0,
                List.of(new Fragment(0, List.of(bookie))),
                Map.of(),
                1,
                new WriteToken(1, nextToken++));
        metadata().create(ledger).join();
    }

    /** Deletes a ledger and lets cleanup find out. */
    void delete(long ledgerId) {
        metadata().delete(ledgerId).join();
        roundsOfGrace();
    }

    // ---- rounds ----

    CompletableFuture<CleanupReport> beginRound() {
        return one.bookie().cleanUp(false);
    }

    CleanupReport round() {
        return end(beginRound());
    }

    CleanupReport majorRound() {
        return end(one.bookie().cleanUp(true));
    }

    private CleanupReport end(CompletableFuture<CleanupReport> round) {
        one.until(round::isDone);
        return round.join();
    }

    /** Rounds that give up what is not needed. */
    void roundsOfGrace() {
        round();
        one.world.runFor(GRACE_NANOS);
        round();
    }

    // ---- entries ----

    static String payload(long ledgerId, long entryId) {
        return "ledger " + ledgerId + " entry " + entryId + "-".repeat(200);
    }

    void fill(long ledgerId, int entries) {
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < entries; i++) {
            writer.add(ledgerId, i, payload(ledgerId, i));
        }
        one.until(() -> writer.acknowledged() == entries);
    }

    /** Adds to a fresh ledger, which is deleted again, until every journal file was used again. */
    void recycleTheJournal() {
        long ledgerId = nextFiller++;
        createLedgers(ledgerId);
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 200; i++) {
            writer.add(ledgerId, i, "filler " + i + "-".repeat(1000));
        }
        one.until(() -> writer.acknowledged() == 200);
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));
    }

    /** Adds until nothing is acknowledged any more; how many were sent. */
    int fillUntilStuck(TestClient writer) {
        long ledgerId = nextFiller++;
        createLedgers(ledgerId);
        int sent = 0;
        while (writer.acknowledged() == sent && sent < 1000) {
            writer.add(ledgerId, sent++, "filler " + "-".repeat(1000));
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return sent;
    }

    void assertHeld(long ledgerId, int entries) {
        TestClient reader = client();
        int next = 0;
        while (next < entries) {
            TestClient.Answered answer =
                    reader.readAndWait(ledgerId, next, entries - next, ReadRequest.FLAG_UNCONFIRMED);
            assertThat(answer.header().status())
                    .as("ledger %d entry %d", ledgerId, next)
                    .isEqualTo(StatusCode.OK);
            for (String payload : answer.payloads()) {
                assertThat(payload).isEqualTo(payload(ledgerId, next++));
            }
        }
        reader.close();
    }

    void assertGone(long ledgerId, int entries) {
        TestClient reader = client();
        for (int i = 0; i < entries; i++) {
            TestClient.Answered answer = reader.readOne(ledgerId, i);
            assertThat(answer.entries()).as("ledger %d entry %d", ledgerId, i).isEmpty();
            assertThat(answer.header().status().isProofOfAbsence()).isTrue();
        }
        reader.close();
    }

    // ---- files ----

    Disk data() {
        return one.machine.host().disk(SimulatedBookie.DATA);
    }

    List<String> logs() {
        return data().list("").stream()
                .filter(name -> EntryLogFormat.logId(name) != EntryLogFormat.NO_LOG)
                .toList();
    }

    long bytesOfLogs() {
        return logs().stream()
                .mapToLong(name -> one.data().image().durableBytes(name).length)
                .sum();
    }

    /** How often a text stands in entry logs. */
    int bytesOnDataDisk(String text) {
        int count = 0;
        for (String name : logs()) {
            String content = new String(one.data().image().durableBytes(name), StandardCharsets.ISO_8859_1);
            for (int at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
                count++;
            }
        }
        return count;
    }
}
