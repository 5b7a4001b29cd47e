// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.RandomSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A random order of bookies in which those with more free space tend to come first: each draws a number whose distribution depends on its weight, and the
 * largest comes first (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006). A weight is at most three times the median, so that an
 * empty new bookie is not flooded, and at least a tenth of it.
 */
final class SpaceOrder {
    private static final double MEDIANS_MAX = 3;
    private static final double MEDIANS_MIN = 0.1;
    private static final double STEPS = 1L << 53;

    private SpaceOrder() {}

    static List<BookieId> of(List<BookieRegistration> bookies, RandomSource random) {
        List<BookieId> order = new ArrayList<>(
                bookies.stream().map(BookieRegistration::bookieId).toList());
        long spaces = bookies.stream()
                .mapToLong(BookieRegistration::usableBytes)
                .distinct()
                .count();
        if (spaces <= 1) {
            shuffle(order, random);
            return order;
        }
        long median = median(bookies);
        Map<BookieId, Double> keys = new TreeMap<>();
        for (BookieRegistration bookie : bookies) {
            keys.put(bookie.bookieId(), Math.log(fraction(random)) / weight(bookie.usableBytes(), median));
        }
        order.sort(Comparator.comparingDouble((BookieId bookie) -> keys.getOrDefault(bookie, 0.0))
                .reversed());
        return order;
    }

    /** More than 0 and at most 1. */
    private static double fraction(RandomSource random) {
        return ((random.nextLong() >>> 11) + 1) / STEPS;
    }

    private static double weight(long usableBytes, long median) {
        double space = usableBytes == 0 ? median : usableBytes; // 0 is unknown.
        return Math.max(MEDIANS_MIN, Math.min(MEDIANS_MAX, space / median));
    }

    private static long median(List<BookieRegistration> bookies) {
        long[] known = bookies.stream()
                .mapToLong(BookieRegistration::usableBytes)
                .filter(bytes -> bytes > 0)
                .sorted()
                .toArray();
        return known[known.length / 2];
    }

    private static void shuffle(List<BookieId> bookies, RandomSource random) {
        for (int i = bookies.size() - 1; i > 0; i--) {
            int j = random.below(i + 1);
            BookieId other = bookies.get(j);
            bookies.set(j, bookies.get(i));
            bookies.set(i, other);
        }
    }
}
