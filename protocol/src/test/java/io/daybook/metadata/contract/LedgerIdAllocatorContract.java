// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataStores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every {@code LedgerIdAllocator} promises. */
public abstract class LedgerIdAllocatorContract extends StoreContract {
    @Test
    protected void noIdIsGivenTwiceToProcessesThatAskAtOnce() {
        // D-70
        List<CompletableFuture<Long>> asked = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            asked.add(mine.ledgerIds().next());
            asked.add(others.ledgerIds().next());
        }

        List<Long> given = asked.stream().map(StoreContract::get).toList();

        assertThat(given)
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).isNotNegative());
    }

    @Test
    protected void noIdIsGivenAgainToALaterProcess() {
        // L13
        List<Long> given = new ArrayList<>();
        for (int process = 0; process < 4; process++) {
            MetadataStores stores = open();
            for (int i = 0; i < 5; i++) {
                given.add(get(stores.ledgerIds().next()));
            }
            stores.close();
        }

        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    protected void idOfADeletedLedgerIsNotGivenAgain() {
        // D-70
        long ledgerId = get(mine.ledgerIds().next());
        get(mine.ledgers().create(Samples.ledger(ledgerId, 1)));
        get(mine.ledgers().delete(ledgerId));

        for (int i = 0; i < 20; i++) {
            assertThat(get(mine.ledgerIds().next())).isNotEqualTo(ledgerId);
            assertThat(get(others.ledgerIds().next())).isNotEqualTo(ledgerId);
        }
    }
}
