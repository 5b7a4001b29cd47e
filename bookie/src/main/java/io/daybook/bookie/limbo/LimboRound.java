// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.limbo;

import io.daybook.bookie.journal.Durable;
import io.daybook.bookie.ledgers.Appends;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a start in which something may have been lost: puts every ledger that metadata says is here, and every one that is here, into limbo, and fences
 * them, because a fence may be among what was lost (D9, B3, B6). Closed ledgers are fenced wherever they are: this bookie may have been a member that their
 * recovery fenced and then replaced, and a writer that never heard of the recovery must not get its acknowledgement now (L5). Until that is done the bookie
 * takes no new entries and calls nothing absent.
 *
 * <p><i>States:</i> listing a page → reading its ledgers → waiting until their limbo is durable → the next page; at last the local ledgers → done. What
 * metadata does not answer is asked again, for ever: without the answer nothing may be promised.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class LimboRound {
    private static final Logger LOG = LoggerFactory.getLogger(LimboRound.class);
    private static final int PAGE = 200;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop core;
    private final LedgerMetadataStore ledgers;
    private final LedgerTable table;
    private final Appends appends;
    private final BookieId self;
    /** The ledgers of a page that concern this bookie, and whether they go into limbo. */
    private final Map<Long, Boolean> found = new TreeMap<>();

    private Runnable done = () -> {};
    private long[] local = {};
    private int outstanding;
    private boolean isPageFailed;
    private boolean stopped;
    private long marked;

    /** For the bookie {@code self}. */
    public LimboRound(EventLoop core, LedgerMetadataStore ledgers, LedgerTable table, Appends appends, BookieId self) {
        this.core = core;
        this.ledgers = ledgers;
        this.table = table;
        this.appends = appends;
        this.self = self;
    }

    /** Begins; {@code then} follows when all of it is durable. */
    public void run(Runnable then) {
        done = then;
        local = table.ledgersOutOfLimbo();
        LOG.warn("bookie={} state=SUSPECT entries may have been lost here: all ledgers are put into limbo", self);
        // Whatever was acknowledged before is in the listing that follows.
        core.resume(ledgers.readLatest(0), (any, failure) -> {
            if (any == null && !isGone(failure)) {
                again(() -> run(then), failure);
            } else {
                page(-1);
            }
        });
    }

    /** Ends without a result. */
    public void stop() {
        stopped = true;
    }

    private void again(Runnable step, @Nullable Throwable failure) {
        LOG.warn("bookie={} metadata does not tell which ledgers there are: {}", self, String.valueOf(failure));
        core.schedule(RETRY_NANOS, () -> {
            if (!stopped) {
                step.run();
            }
        });
    }

    private static boolean isGone(@Nullable Throwable failure) {
        return failure instanceof MetadataException metadata && metadata.code() == MetadataException.Code.NOT_FOUND;
    }

    private void page(long after) {
        core.resume(ledgers.list(after, PAGE), (page, failure) -> {
            if (stopped) {
                return;
            }
            if (page == null || (page.items().isEmpty() && !page.isLast())) {
                again(() -> page(after), failure);
            } else {
                read(page, after);
            }
        });
    }

    private void read(Page<Long> page, long after) {
        found.clear();
        isPageFailed = false;
        outstanding = page.items().size();
        Runnable next = page.isLast()
                ? this::markLocal
                : () -> page(page.items().get(page.items().size() - 1));
        if (outstanding == 0) {
            next.run();
            return;
        }
        for (long ledgerId : page.items()) {
            core.resume(ledgers.readLatest(ledgerId), (metadata, failure) -> {
                if (stopped) {
                    return;
                }
                isPageFailed |= metadata == null && !isGone(failure);
                note(metadata);
                if (--outstanding > 0) {
                    return;
                }
                if (isPageFailed) {
                    again(() -> page(after), failure);
                } else {
                    markFound(next);
                }
            });
        }
    }

    private void note(@Nullable Versioned<LedgerMetadata> metadata) {
        if (metadata == null) {
            return;
        }
        LedgerMetadata ledger = metadata.value();
        boolean isHere = isHere(ledger);
        if (isHere || ledger.state() == LedgerState.CLOSED) {
            found.put(ledger.ledgerId(), isHere);
        }
    }

    private boolean isHere(LedgerMetadata ledger) {
        return ledger.fragments().stream()
                .anyMatch(fragment -> fragment.ensemble().contains(self));
    }

    private void markFound(Runnable next) {
        outstanding = found.size();
        if (outstanding == 0) {
            next.run();
            return;
        }
        Durable marking = () -> {
            if (--outstanding == 0 && !stopped) {
                next.run();
            }
        };
        Map<Long, Boolean> now = new TreeMap<>(found);
        now.forEach((ledgerId, isHere) -> {
            if (isHere) {
                marked++;
                appends.beginLimbo(ledgerId, marking);
            } else {
                appends.fence(ledgerId, marking);
            }
        });
    }

    /** What is here and not in metadata: deleted, or metadata that somebody will bring back. */
    private void markLocal() {
        found.clear();
        for (long ledgerId : local) {
            found.put(ledgerId, true);
        }
        markFound(() -> {
            LOG.warn("bookie={} ledgers={} state=LIMBO_COMPLETE", self, marked);
            done.run();
        });
    }
}
