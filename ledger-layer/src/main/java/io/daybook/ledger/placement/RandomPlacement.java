// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.RandomSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Chooses at random among the bookies that take entries. Those that failed lately come last, the one whose failure is longest ago first, but they are
 * never refused.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class RandomPlacement implements Placement {
    private final RandomSource random;
    private final long quarantineNanos;
    private final Map<BookieId, Long> failedAt = new TreeMap<>();

    /** Avoids a failed bookie for {@code quarantineNanos}. */
    public RandomPlacement(RandomSource random, long quarantineNanos) {
        this.random = random;
        this.quarantineNanos = quarantineNanos;
    }

    @Override
    public List<BookieId> choose(
            Collection<BookieRegistration> live, Collection<BookieId> excluded, int count, long nowNanos) {
        failedAt.values().removeIf(at -> nowNanos - at >= quarantineNanos);
        List<BookieId> trusted = new ArrayList<>();
        List<BookieId> failed = new ArrayList<>();
        for (BookieRegistration bookie : live) {
            if (!bookie.readOnly() && !excluded.contains(bookie.bookieId())) {
                (failedAt.containsKey(bookie.bookieId()) ? failed : trusted).add(bookie.bookieId());
            }
        }
        failed.sort(Comparator.comparingLong(bookie -> failedAt.getOrDefault(bookie, nowNanos) - nowNanos));
        shuffle(trusted);
        trusted.addAll(failed);
        return List.copyOf(trusted.subList(0, Math.min(count, trusted.size())));
    }

    @Override
    public void failed(BookieId bookie, long nowNanos) {
        failedAt.put(bookie, nowNanos);
    }

    private void shuffle(List<BookieId> bookies) {
        for (int i = bookies.size() - 1; i > 0; i--) {
            int j = random.below(i + 1);
            BookieId other = bookies.get(j);
            bookies.set(j, bookies.get(i));
            bookies.set(i, other);
        }
    }
}
