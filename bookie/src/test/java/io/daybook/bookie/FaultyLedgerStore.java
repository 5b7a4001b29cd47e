// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ledger metadata as a store in trouble answers it. */
final class FaultyLedgerStore {
    private int pagesBeforeFailure = Integer.MAX_VALUE;
    private boolean endless;
    private boolean readsFail;
    private long leftOut = -1;
    private int listings;
    private int questions;
    private CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

    void failAfterPages(int pages) {
        pagesBeforeFailure = pages;
    }

    /** From now on a listing stops in the middle without saying that it is complete. */
    void neverEnds() {
        pagesBeforeFailure = Integer.MAX_VALUE;
        endless = true;
    }

    void leaveOut(long ledgerId) {
        leftOut = ledgerId;
    }

    void failReads(boolean fail) {
        readsFail = fail;
    }

    /** Listings show the ledgers of the moment in which they are asked for, and are answered once {@link #release} is called. */
    void hold() {
        held = new CompletableFuture<>();
    }

    void release() {
        held.complete(null);
    }

    /** How many pages were asked for so far. */
    int listings() {
        return listings;
    }

    /** How many single ledgers were asked for so far. */
    int questions() {
        return questions;
    }

    LedgerMetadataStore over(LedgerMetadataStore sound) {
        return new LedgerMetadataStore() {
            private int pages;

            @Override
            public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
                return sound.create(metadata);
            }

            @Override
            public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
                questions++;
                return readsFail ? failed() : sound.read(ledgerId);
            }

            @Override
            public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
                questions++;
                return readsFail ? failed() : sound.readLatest(ledgerId);
            }

            @Override
            public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
                return sound.replace(metadata, version);
            }

            @Override
            public CompletableFuture<Void> delete(long ledgerId) {
                return sound.delete(ledgerId);
            }

            @Override
            public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
                listings++;
                boolean inTrouble = pagesBeforeFailure != Integer.MAX_VALUE || endless;
                if (!inTrouble) {
                    return sound.list(afterLedgerId, countMax)
                            .thenApply(FaultyLedgerStore.this::without)
                            .thenCombine(held, (page, released) -> page);
                }
                pages = afterLedgerId < 0 ? 0 : pages + 1;
                if (pages >= pagesBeforeFailure) {
                    return failed();
                }
                return sound.list(afterLedgerId, 1)
                        .thenApply(page -> new Page<>(endless && pages > 0 ? List.of() : page.items(), false));
            }

            @Override
            public Watch watch(long ledgerId, Runnable listener) {
                return sound.watch(ledgerId, listener);
            }
        };
    }

    private Page<Long> without(Page<Long> page) {
        return new Page<>(page.items().stream().filter(id -> id != leftOut).toList(), page.isLast());
    }

    private static <T> CompletableFuture<T> failed() {
        return CompletableFuture.failedFuture(
                new MetadataException(MetadataException.Code.UNAVAILABLE, "no answer in time"));
    }
}
