// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LedgerFormat;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@code LedgerMetadataStore} promises. */
public abstract class LedgerMetadataStoreContract extends StoreContract {
    @Test
    protected void ledgerIsReadBackAsItWasCreated() {
        LedgerMetadata ledger = Samples.ledger(7, 1);

        Versioned<LedgerMetadata> created = get(mine.ledgers().create(ledger));

        assertThat(created.value()).isEqualTo(ledger);
        assertThat(get(mine.ledgers().read(7))).isEqualTo(created);
        assertThat(get(others.ledgers().readLatest(7))).isEqualTo(created);
    }

    @Test
    protected void ledgerThatIsNotThereIsNotFound() {
        assertThat(refusal(mine.ledgers().read(7))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.ledgers().readLatest(7))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.ledgers().replace(Samples.ledger(7, 1), 0))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void idInUseIsRefused() {
        LedgerMetadata first = Samples.ledger(7, 1);
        get(mine.ledgers().create(first));

        assertThat(refusal(others.ledgers().create(Samples.ledger(7, 2)))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(others.ledgers().readLatest(7)).value()).isEqualTo(first);
    }

    @Test
    protected void idOfADeletedLedgerIsRefusedForEver() {
        // L13
        for (long ledgerId : new long[] {0, 7, Long.MAX_VALUE}) {
            get(mine.ledgers().create(Samples.ledger(ledgerId, 1)));
            get(mine.ledgers().delete(ledgerId));

            assertThat(refusal(mine.ledgers().create(Samples.ledger(ledgerId, 2))))
                    .isEqualTo(Code.ALREADY_EXISTS);
            assertThat(refusal(others.ledgers().create(Samples.ledger(ledgerId, 3))))
                    .isEqualTo(Code.ALREADY_EXISTS);
            assertThat(refusal(mine.ledgers().readLatest(ledgerId))).isEqualTo(Code.NOT_FOUND);
        }
        get(mine.ledgers().create(Samples.ledger(8, 4)));
    }

    @Test
    protected void deletingWhatIsGoneIsSuccess() {
        // S-28
        get(mine.ledgers().create(Samples.ledger(7, 1)));

        get(mine.ledgers().delete(7));
        get(mine.ledgers().delete(7));
        get(others.ledgers().delete(7));
        get(others.ledgers().delete(99_999_999));
    }

    @Test
    protected void replacingNamesTheVersionItReplaces() {
        // M1
        Versioned<LedgerMetadata> first = get(mine.ledgers().create(Samples.ledger(7, 1)));
        LedgerMetadata inRecovery = first.value().withRecovery(Samples.token(2));

        Versioned<LedgerMetadata> second = get(others.ledgers().replace(inRecovery, first.version()));

        assertThat(second.version()).isGreaterThan(first.version());
        assertThat(get(mine.ledgers().readLatest(7))).isEqualTo(second);
        LedgerMetadata late = first.value().withClosed(3, 30, first.value().fragments(), Samples.token(3));
        assertThat(refusal(mine.ledgers().replace(late, first.version()))).isEqualTo(Code.VERSION_CONFLICT);
        assertThat(refusal(mine.ledgers().replace(late, second.version() + 1))).isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.ledgers().readLatest(7))).isEqualTo(second);
    }

    @Test
    protected void oneOfManyWhoReplaceTheSameVersionWins() {
        Versioned<LedgerMetadata> first = get(mine.ledgers().create(Samples.ledger(7, 1)));
        List<CompletableFuture<Versioned<LedgerMetadata>>> attempts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            LedgerMetadata next = first.value().withToken(Samples.token(10 + i));
            attempts.add((i % 2 == 0 ? mine : others).ledgers().replace(next, first.version()));
        }

        List<Versioned<LedgerMetadata>> winners = new ArrayList<>();
        for (CompletableFuture<Versioned<LedgerMetadata>> attempt : attempts) {
            try {
                winners.add(get(attempt));
            } catch (MetadataException refused) {
                assertThat(refused.code()).isEqualTo(Code.VERSION_CONFLICT);
            }
        }

        assertThat(winners).hasSize(1);
        assertThat(get(mine.ledgers().readLatest(7))).isEqualTo(winners.get(0));
    }

    @Test
    protected void emptyListingIsOneLastPage() {
        assertThat(get(mine.ledgers().list(-1, 10))).isEqualTo(new Page<Long>(List.of(), true));
    }

    @Test
    protected void pagesHoldAllLedgersOnceAndRising() {
        List<Long> ids = new ArrayList<>(LongStream.range(0, 12).boxed().toList());
        ids.addAll(List.of(
                4094L, 4095L, 4096L, 4097L, 1L << 24, (1L << 24) + 1, 1L << 36, 1L << 48, 1L << 60, Long.MAX_VALUE));
        List<CompletableFuture<Versioned<LedgerMetadata>>> creations = new ArrayList<>();
        ids.forEach(id -> creations.add(mine.ledgers().create(Samples.ledger(id, 1))));
        creations.forEach(StoreContract::get);

        for (int size : new int[] {1, 3, 11, 21, 22, 23}) {
            List<Page<Long>> pages = pages(size);

            assertThat(pages.stream().flatMap(page -> page.items().stream())).containsExactlyElementsOf(ids);
            assertThat(pages).hasSize((ids.size() + size - 1) / size);
            assertThat(pages).allSatisfy(page -> assertThat(page.items()).hasSizeLessThanOrEqualTo(size));
        }
    }

    private List<Page<Long>> pages(int size) {
        List<Page<Long>> pages = new ArrayList<>();
        long after = -1;
        Page<Long> page;
        do {
            page = get(others.ledgers().list(after, size));
            pages.add(page);
            after = page.items().get(page.items().size() - 1);
        } while (!page.isLast());
        return pages;
    }

    @Test
    protected void listingGoesOnWhileLedgersComeAndGo() {
        for (long id = 10; id < 40; id++) {
            get(mine.ledgers().create(Samples.ledger(id, 1)));
        }
        List<Long> listed = new ArrayList<>();

        Page<Long> page = get(mine.ledgers().list(-1, 6));
        listed.addAll(page.items());
        get(others.ledgers().delete(15));
        get(others.ledgers().delete(20));
        get(others.ledgers().create(Samples.ledger(3, 2)));
        get(others.ledgers().create(Samples.ledger(50, 2)));
        while (!page.isLast()) {
            page = get(mine.ledgers().list(listed.get(listed.size() - 1), 6));
            listed.addAll(page.items());
        }

        List<Long> expected = new ArrayList<>(LongStream.range(10, 40).boxed().toList());
        expected.remove(Long.valueOf(20));
        expected.add(50L);
        assertThat(listed).containsExactlyElementsOf(expected);
    }

    @Test
    protected void manyAreDeletedAtOnceByManyAlsoSomeThatAreNotThere() {
        List<CompletableFuture<Void>> deletions = new ArrayList<>();
        for (long id = 0; id < 300; id++) {
            if (id % 7 != 0) {
                get(mine.ledgers().create(Samples.ledger(id, 1)));
            }
        }

        for (long id = 0; id < 300; id++) {
            deletions.add((id % 2 == 0 ? mine : others).ledgers().delete(id));
            deletions.add(mine.ledgers().delete(id));
        }
        deletions.forEach(StoreContract::get);

        assertThat(get(others.ledgers().list(-1, 10)).items()).isEmpty();
        for (long id = 0; id < 300; id++) {
            assertThat(refusal(others.ledgers().readLatest(id))).isEqualTo(Code.NOT_FOUND);
        }
        // L13: what was deleted is refused, what was never made is not
        assertThat(refusal(mine.ledgers().create(Samples.ledger(1, 2)))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.ledgers().create(Samples.ledger(7, 2))).value()).isEqualTo(Samples.ledger(7, 2));
    }

    // P-94
    @Test
    protected void emptiedRangesDoNotEndAListing() {
        // INVARIANTS D15: an empty node in the middle must not hide what follows.
        for (long id : new long[] {1, 5_000, 1L << 30, 1L << 50}) {
            get(mine.ledgers().create(Samples.ledger(id, 1)));
        }
        get(mine.ledgers().delete(1));
        get(mine.ledgers().delete(1L << 30));

        assertThat(get(mine.ledgers().list(-1, 10))).isEqualTo(new Page<>(List.of(5_000L, 1L << 50), true));
    }

    @Test
    protected void watchIsToldOfChangesAndDeletion() {
        Versioned<LedgerMetadata> ledger = get(mine.ledgers().create(Samples.ledger(7, 1)));
        AtomicInteger told = new AtomicInteger();
        AtomicInteger toldOfAnother = new AtomicInteger();
        others.ledgers().watch(7, told::incrementAndGet);
        others.ledgers().watch(8, toldOfAnother::incrementAndGet);
        get(others.ledgers().readLatest(7));

        for (int i = 0; i < 3; i++) {
            int before = told.get();
            ledger = get(mine.ledgers().replace(ledger.value().withToken(Samples.token(2 + i)), ledger.version()));
            fixture.await(() -> told.get() > before);
        }
        int before = told.get();
        get(mine.ledgers().delete(7));
        fixture.await(() -> told.get() > before);

        assertThat(toldOfAnother).hasValue(0);
    }

    @Test
    protected void closedWatchIsToldNothingMore() {
        Versioned<LedgerMetadata> ledger = get(mine.ledgers().create(Samples.ledger(7, 1)));
        AtomicInteger told = new AtomicInteger();
        AtomicInteger toldStill = new AtomicInteger();
        Watch closed = others.ledgers().watch(7, told::incrementAndGet);
        others.ledgers().watch(7, toldStill::incrementAndGet);
        closed.close();
        closed.close();
        get(others.ledgers().readLatest(7));

        get(mine.ledgers().replace(ledger.value().withToken(Samples.token(2)), ledger.version()));

        fixture.await(() -> toldStill.get() > 0);
        assertThat(told).hasValue(0);
    }

    @Test
    protected void unreadableLedgerIsNeitherAbsentNorReplaced() {
        // M6
        long ledgerId = 20;
        for (byte[] value : ClusterStoreContract.unreadable(LedgerFormat.encode(Samples.ledger(ledgerId, 1)))) {
            fixture.plantLedger(ledgerId, value);

            assertThat(refusal(mine.ledgers().read(ledgerId))).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.ledgers().readLatest(ledgerId))).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.ledgers().create(Samples.ledger(ledgerId, 2))))
                    .isEqualTo(Code.ALREADY_EXISTS);
            assertThat(get(mine.ledgers().list(-1, 10)).items()).containsExactly(ledgerId);
        }
    }
}
