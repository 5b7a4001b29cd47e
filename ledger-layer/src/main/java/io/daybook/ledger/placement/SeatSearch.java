// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks for bookies for the open seats such that every write set is spread over enough fault domains: fills one seat after the other, with the domain that is
 * rarest around it first, and goes back where that leads nowhere. As bookies of one rack are alike for that, it tries each rack once at each seat. What
 * cannot be decided in a bounded number of steps counts as impossible.
 *
 * <p>A write set that can no more be spread as wanted, because of those who keep their seats, is to be spread as well as it can. Of one who keeps a seat the
 * domain may not be known: it counts for none, as it may be that of any other; and when the rules are enforced, whoever joins it in a write set must make up
 * for that, as nobody can tell how well that set could be spread.
 */
final class SeatSearch {
    private static final int STEPS_MAX = 20_000;

    private final Seats seats;
    private final Map<Domain, List<BookieId>> candidates = new LinkedHashMap<>();
    private final @Nullable Domain[] domainAt;
    private final BookieId[] chosen;
    private final List<int[]> writeSets = new ArrayList<>();
    private final int[] racksWanted;
    private final int[] regionsWanted;
    private int steps;

    private SeatSearch(Seats seats, PlacementRules rules, Map<BookieId, Domain> domains, List<BookieId> candidates) {
        this.seats = seats;
        int size = seats.before().size();
        this.domainAt = new Domain[size];
        this.chosen = new BookieId[size];
        for (BookieId candidate : candidates) {
            this.candidates
                    .computeIfAbsent(domains.getOrDefault(candidate, Domain.of("")), each -> new ArrayList<>())
                    .add(candidate);
        }
        for (int slot = 0; slot < size; slot++) {
            domainAt[slot] = seats.isOpen(slot)
                    ? null
                    : seats.before().get(slot).map(domains::get).orElse(null);
        }
        int copies = seats.quorums().writeQuorum();
        for (int first = 0; first < (copies == size ? 1 : size); first++) {
            int[] writeSet = new int[copies];
            for (int i = 0; i < copies; i++) {
                writeSet[i] = (first + i) % size;
            }
            writeSets.add(writeSet);
        }
        this.racksWanted = wanted(rules, rules.racksMin(), Domain::rack);
        this.regionsWanted = wanted(rules, rules.regionsMin(), Domain::region);
    }

    /** The chosen bookies in the order of the open seats, or nothing. Candidates that come first are preferred. */
    static Optional<List<BookieId>> find(
            Seats seats, PlacementRules rules, Map<BookieId, Domain> domains, List<BookieId> candidates) {
        SeatSearch search = new SeatSearch(seats, rules, domains, candidates);
        if (candidates.size() < seats.openCount() || !search.fill(0)) {
            return Optional.empty();
        }
        List<BookieId> found = new ArrayList<>();
        for (int slot = 0; slot < search.chosen.length; slot++) {
            if (seats.isOpen(slot)) {
                found.add(search.chosen[slot]);
            }
        }
        return Optional.of(found);
    }

    private int[] wanted(PlacementRules rules, int min, Function<Domain, String> part) {
        int[] wanted = new int[writeSets.size()];
        for (int i = 0; i < wanted.length; i++) {
            int atBest = reachable(writeSets.get(i), part);
            int byRule = Math.min(min, seats.quorums().writeQuorum());
            wanted[i] = rules.isEnforced() && hasUnknown(writeSets.get(i)) ? byRule : Math.min(byRule, atBest);
        }
        return wanted;
    }

    /** Whether somebody keeps a seat of whom no domain is known. */
    private boolean hasUnknown(int[] writeSet) {
        for (int slot : writeSet) {
            if (domainAt[slot] == null && !seats.isOpen(slot)) {
                return true;
            }
        }
        return false;
    }

    /** Different domains in a write set at best: those it is known to have, and another one in each open seat. */
    private int reachable(int[] writeSet, Function<Domain, String> part) {
        TreeSet<String> different = new TreeSet<>();
        int open = 0;
        for (int slot : writeSet) {
            Domain domain = domainAt[slot];
            if (domain != null) {
                different.add(part.apply(domain));
            } else if (seats.isOpen(slot)) {
                open++;
            }
        }
        return different.size() + open;
    }

    private boolean fill(int from) {
        int slot = from;
        while (slot < domainAt.length && !seats.isOpen(slot)) {
            slot++;
        }
        if (slot == domainAt.length) {
            return true;
        }
        for (Domain domain : rarestFirst(slot)) {
            steps++;
            if (steps > STEPS_MAX) {
                return false;
            }
            List<BookieId> left = candidates.getOrDefault(domain, List.of());
            BookieId taken = left.remove(0);
            domainAt[slot] = domain;
            chosen[slot] = taken;
            if (isPossible(slot) && fill(slot + 1)) {
                return true;
            }
            domainAt[slot] = null;
            left.add(0, taken);
        }
        return false;
    }

    private boolean isPossible(int slot) {
        for (int i = 0; i < writeSets.size(); i++) {
            int[] writeSet = writeSets.get(i);
            if (contains(writeSet, slot)
                    && (reachable(writeSet, Domain::rack) < racksWanted[i]
                            || reachable(writeSet, Domain::region) < regionsWanted[i])) {
                return false;
            }
        }
        return true;
    }

    private List<Domain> rarestFirst(int slot) {
        Map<Domain, Long> crowd = new LinkedHashMap<>();
        candidates.forEach((domain, left) -> {
            if (!left.isEmpty()) {
                crowd.put(domain, crowdAround(slot, domain));
            }
        });
        List<Domain> order = new ArrayList<>(crowd.keySet());
        order.sort(Comparator.comparingLong(domain -> crowd.getOrDefault(domain, 0L)));
        return order;
    }

    /** How often the rack, and as a tie the region, is in the write sets of the seat. */
    private long crowdAround(int slot, Domain wanted) {
        long racks = 0;
        long regions = 0;
        for (int[] writeSet : writeSets) {
            for (int other : contains(writeSet, slot) ? writeSet : new int[0]) {
                Domain domain = domainAt[other];
                if (domain != null) {
                    racks += domain.rack().equals(wanted.rack()) ? 1 : 0;
                    regions += domain.region().equals(wanted.region()) ? 1 : 0;
                }
            }
        }
        return (racks << 16) + regions;
    }

    private static boolean contains(int[] writeSet, int slot) {
        for (int each : writeSet) {
            if (each == slot) {
                return true;
            }
        }
        return false;
    }
}
