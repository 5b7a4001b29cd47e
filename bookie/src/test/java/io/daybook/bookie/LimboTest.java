// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.ledgers.Defects;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.Disk;
import io.daybook.runtime.simulated.disk.CrashMode;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A bookie that lost part of its journal and was told to go on: it knows what it does not know (D9, B3, B6, B9). */
final class LimboTest {
    private static final int ENTRIES = 30;
    private static final long OPEN = 5;
    private static final long CLOSED = 6;
    private static final long EMPTY = 7;
    private static final long FOREIGN = 8;
    private static final long FENCED_BEFORE = 9;
    private static final long CLOSED_ELSEWHERE = 10;
    private static final long LATER = 20;

    private final SimulatedBookie one = new SimulatedBookie(51);
    private long tokens = 1;

    @BeforeEach
    void aBookieWithADamagedJournal() {
        one.config = one.config.withSlabs(512 * 1024, 3);
        one.format().start();
        create(OPEN, one.cookie().bookieId(), -1);
        create(CLOSED, one.cookie().bookieId(), ENTRIES - 1);
        create(EMPTY, one.cookie().bookieId(), -1);
        create(FOREIGN, new BookieId(77, 77), -1);
        create(FENCED_BEFORE, one.cookie().bookieId(), -1);
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(writer.addAndWait(OPEN, i, "open " + i)).isEqualTo(StatusCode.OK);
            assertThat(writer.addAndWait(CLOSED, i, "closed " + i)).isEqualTo(StatusCode.OK);
        }
        assertThat(one.client(LinkKind.OTHER).fenceAndWait(FENCED_BEFORE).status())
                .isEqualTo(StatusCode.OK);
        assertThat(writer.addAndWait(OPEN, ENTRIES, "last")).isEqualTo(StatusCode.OK);
        one.crash(CrashMode.LOSE_ALL);
        // Among the first records: far below what was proven to be durable. And the fence.
        for (String text : List.of("closed 3", "open 4")) {
            damage(text);
        }
    }

    private void create(long ledgerId, BookieId bookie, long lastEntryId) {
        LedgerMetadata ledger = new LedgerMetadata(
                ledgerId,
                new Quorums(1, 1, 1),
                DigestType.CRC32C,
                lastEntryId < 0 ? LedgerState.OPEN : LedgerState.CLOSED,
                lastEntryId,
                0,
                List.of(new Fragment(0, List.of(bookie))),
                Map.of(),
                1,
                new WriteToken(1, tokens++));
        one.stores().ledgers().create(ledger).join();
    }

    private void damage(String text) {
        byte[] wanted = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] bytes = one.journal().image().durableBytes("journal-0000.ring");
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            if (java.util.Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                one.journal().corrupt("journal-0000.ring", at, 1);
                return;
            }
        }
        throw new AssertionError("not found: " + text);
    }

    private void acceptDamage() {
        one.endSession();
        if (!one.machine.isRunning()) {
            one.machine.start();
        }
        Disk data = one.machine.host().disk(SimulatedBookie.DATA);
        DamageNotes.read(data).accepted().write(data);
    }

    private boolean isRegisteredReadOnly() {
        return one.stores().bookies().live().join().stream()
                .findFirst()
                .map(BookieRegistration::readOnly)
                .orElseThrow();
    }

    // B9
    @Test
    void withoutConsentItDoesNotStartAndSaysHow() {
        one.endSession();
        CompletableFuture<Bookie> starting = one.tryStart();

        Throwable failure = starting.handle((bookie, thrown) -> thrown).join();
        assertThat(failure)
                .isInstanceOfSatisfying(
                        BookieStartException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.JOURNAL_DAMAGED))
                .hasMessageContaining(SimulatedBookie.JOURNAL)
                .hasMessageContaining("journal-0000.ring")
                .hasMessageContaining("accept-damage");
    }

    // D9, B3, B6
    @Test
    void whatWasThereIsFencedAndNothingOfItIsCalledAbsent() {
        acceptDamage();
        one.start();
        one.until(() -> !isRegisteredReadOnly());

        assertInLimbo();
        TestClient client = one.client(LinkKind.OTHER);
        assertThat(client.readOne(FOREIGN, 0).header().status()).isEqualTo(StatusCode.NO_LEDGER);
        create(LATER, one.cookie().bookieId(), -1);
        assertThat(client.addAndWait(LATER, 0, "new")).isEqualTo(StatusCode.OK);
        assertThat(client.readOne(LATER, 1).header().status()).isEqualTo(StatusCode.NO_ENTRY);

        // The consent is used up; limbo is not.
        one.crash(CrashMode.LOSE_ALL).start();
        assertInLimbo();
        one.close();
        one.start();
        assertThat(isRegisteredReadOnly()).isFalse();
        assertInLimbo();
    }

    // B3, L5: its fence may be lost, and a writer that never heard of the recovery may still send to members that are
    // not fenced.
    @Test
    void aClosedLedgerTakesNoLateAddWhoeverItsMembersAre() {
        create(CLOSED_ELSEWHERE, new BookieId(77, 77), 3);
        acceptDamage();
        one.start();
        one.until(() -> !isRegisteredReadOnly());

        TestClient client = one.client(LinkKind.OTHER);
        assertThat(client.addAndWait(CLOSED, ENTRIES, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(client.addAndWait(CLOSED_ELSEWHERE, 4, "late")).isEqualTo(StatusCode.FENCED);
        assertThat(client.readOne(CLOSED_ELSEWHERE, 0).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(client.addAndWait(FOREIGN, 0, "in time")).isEqualTo(StatusCode.OK);
    }

    private void assertInLimbo() {
        TestClient client = one.client(LinkKind.OTHER);
        assertThat(client.readOne(OPEN, 3).payloads()).containsExactly("open 3");
        assertThat(client.readOne(OPEN, ENTRIES).payloads()).containsExactly("last");
        assertThat(client.readOne(OPEN, 4).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(client.readOne(OPEN, ENTRIES + 1).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(client.readOne(CLOSED, 3).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(client.readOne(EMPTY, 0).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        for (long ledgerId : List.of(OPEN, EMPTY, FENCED_BEFORE)) {
            assertThat(client.addAndWait(ledgerId, 100, "late")).isEqualTo(StatusCode.FENCED);
        }
        client.close();
    }

    // B3, B6: after a start with consent nothing looks damaged any more but the note, which rots before all is in
    // limbo.
    @Test
    void aConsentThatCannotBeReadIsNotForgotten() {
        acceptDamage();
        one.start();
        assertThat(isRegisteredReadOnly()).isTrue();
        one.crash(CrashMode.LOSE_ALL);
        one.data().corrupt(DamageNotes.NAME, 12, 1);

        one.start();
        one.until(() -> !isRegisteredReadOnly());

        assertInLimbo();
        assertThat(DamageNotes.read(one.machine.host().disk(SimulatedBookie.DATA))
                        .mustDoubt())
                .isFalse();
    }

    // B9
    @Test
    void aNoteThatCannotBeReadIsNoConsent() {
        one.endSession();
        one.machine.start();
        new DamageNotes(true, false, new TreeSet<>()).write(one.machine.host().disk(SimulatedBookie.DATA));
        one.data().corrupt(DamageNotes.NAME, 12, 1);

        Throwable failure = one.tryStart().handle((bookie, thrown) -> thrown).join();

        assertThat(failure)
                .isInstanceOfSatisfying(
                        BookieStartException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.JOURNAL_DAMAGED));
    }

    // Until all ledgers are in limbo nothing is promised, and no new entry is taken: also when metadata is away.
    @Test
    void aCrashBeforeAllIsInLimboBeginsAgain() {
        acceptDamage();
        for (int nth = 1; nth < 40; nth += 3) {
            one.machine.crashAtDiskOperation(nth, nth % 2 == 0);
            one.tryStart();
            one.world.runFor(TimeUnit.MILLISECONDS.toNanos(200));
            one.crash(CrashMode.LOSE_ALL);
            one.machine.start();
        }
        one.start();
        one.until(() -> !isRegisteredReadOnly());

        assertInLimbo();
    }

    // A6: repair ends it.
    @Test
    void limboOfAClosedLedgerEndsWhenAllItsEntriesAreHereAgain() {
        acceptDamage();
        one.start();
        one.until(() -> !isRegisteredReadOnly());
        TestClient client = one.client(LinkKind.OTHER);

        // Verbatim, as repair copies them.
        for (int i = 0; i < ENTRIES; i++) {
            byte[] payload = ("closed " + i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            client.addAt(CLOSED, i, i - 1, payload, AddRequest.FLAG_RECOVERY);
        }
        one.until(() -> client.acknowledged() == ENTRIES);
        one.world.runFor(TimeUnit.SECONDS.toNanos(70));

        assertThat(client.readOne(CLOSED, ENTRIES).header().status()).isEqualTo(StatusCode.NO_ENTRY);
        assertThat(client.readOne(OPEN, 4).header().status()).isEqualTo(StatusCode.UNKNOWN_STATE);
        one.close();
        one.start();
        assertThat(one.client(LinkKind.OTHER).readOne(CLOSED, ENTRIES).header().status())
                .isEqualTo(StatusCode.NO_ENTRY);
    }

    // D9, planted: what the tests above would find.
    @Test
    void withoutLimboItDeniesWhatItAcknowledged() {
        one.world.faults().plant(Defects.AMNESIA);
        acceptDamage();

        TestClient client = one.start().client(LinkKind.OTHER);

        assertThat(client.readOne(EMPTY, 0).header().status()).isEqualTo(StatusCode.NO_LEDGER);
        assertThat(client.addAndWait(EMPTY, 0, "late")).isEqualTo(StatusCode.OK);
    }
}
