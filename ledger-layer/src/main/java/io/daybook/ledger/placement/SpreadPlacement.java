// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.RandomSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Chooses among the bookies that take entries at random, those with much free space more often, such that the copies of each entry are spread over fault
 * domains. Those that failed lately, or were too slow, come last, the one whose failure is longest ago first, but they are never refused.
 *
 * <p>Labels are those of the registrations at the time of the choice; of a bookie that is gone the last one counts. A
 * member that was gone before this client began is in a rack and a region that nobody knows: it never counts as a further one.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class SpreadPlacement implements Placement {
    private final RandomSource random;
    private final PlacementRules rules;
    private final long quarantineNanos;
    private final Map<BookieId, Long> failedAt = new TreeMap<>();
    private final Map<BookieId, Domain> domains = new TreeMap<>();

    /** Avoids a failed bookie for {@code quarantineNanos}. */
    public SpreadPlacement(RandomSource random, PlacementRules rules, long quarantineNanos) {
        this.random = random;
        this.rules = rules;
        this.quarantineNanos = quarantineNanos;
    }

    /** Bookies for the seats that are open, in order. */
    private record Filling(Seats seats, List<BookieId> chosen) {}

    @Override
    public Choice choose(
            Collection<BookieRegistration> live, Seats seats, Collection<BookieId> excluded, long nowNanos) {
        learn(live);
        failedAt.values().removeIf(at -> nowNanos - at >= quarantineNanos);
        List<BookieRegistration> trusted = new ArrayList<>();
        List<BookieId> failed = new ArrayList<>();
        for (BookieRegistration bookie : live) {
            boolean isSeated = seats.before().contains(Optional.of(bookie.bookieId()));
            if (!bookie.readOnly() && !isSeated && !excluded.contains(bookie.bookieId())) {
                if (failedAt.containsKey(bookie.bookieId())) {
                    failed.add(bookie.bookieId());
                } else {
                    trusted.add(bookie);
                }
            }
        }
        failed.sort(Comparator.comparingLong(bookie -> failedAt.getOrDefault(bookie, nowNanos) - nowNanos));
        return choose(seats, SpaceOrder.of(trusted, random), failed);
    }

    @Override
    public void learn(Collection<BookieRegistration> live) {
        live.forEach(bookie -> domains.put(bookie.bookieId(), Domain.of(bookie.rack())));
    }

    @Override
    public void failed(BookieId bookie, long nowNanos) {
        failedAt.put(bookie, nowNanos);
    }

    private Choice choose(Seats seats, List<BookieId> trusted, List<BookieId> failed) {
        List<BookieId> all = new ArrayList<>(trusted);
        all.addAll(failed);
        Filling best = rules.isEnforced() ? chooseStrictly(seats, trusted, all) : chooseBest(seats, trusted, all);
        int count = best.chosen.size();
        String shortage = count == seats.openCount() ? "" : describe(seats, all);
        return new Choice(best.seats.filledWith(best.chosen), count, shortage);
    }

    /** As many as can be chosen without breaking the rules, those that are avoided included. */
    private Filling chooseStrictly(Seats seats, List<BookieId> trusted, List<BookieId> all) {
        for (int count = Math.min(seats.openCount(), all.size()); count > 0; count--) {
            List<Seats> ways = seats.waysToOpen(count);
            Optional<Filling> found = firstSpread(ways, trusted).or(() -> firstSpread(ways, all));
            if (found.isPresent()) {
                return found.get();
            }
        }
        return new Filling(seats.withOpen(0), List.of());
    }

    private Optional<Filling> firstSpread(List<Seats> ways, List<BookieId> candidates) {
        return ways.stream()
                .flatMap(way -> spread(way, rules, candidates).map(chosen -> new Filling(way, chosen)).stream())
                .findFirst();
    }

    /** As many as there are, spread as the rules say or else as nearly so as can be. */
    private Filling chooseBest(Seats seats, List<BookieId> trusted, List<BookieId> all) {
        int count = Math.min(seats.openCount(), all.size());
        Seats fillable = seats.withOpen(count);
        List<BookieId> candidates = trusted.size() >= count ? trusted : all;
        if (isOneRack()) {
            return new Filling(fillable, candidates.subList(0, count));
        }
        for (int regions = rules.regionsMin(); regions > 0; regions--) {
            for (int racks = rules.racksMin(); racks > 0; racks--) {
                Optional<List<BookieId>> found =
                        spread(fillable, new PlacementRules(racks, regions, false), candidates);
                if (found.isPresent()) {
                    return new Filling(fillable, found.get());
                }
            }
        }
        return new Filling(fillable, candidates.subList(0, count));
    }

    private boolean isOneRack() {
        Iterator<Domain> each = domains.values().iterator();
        String first = each.hasNext() ? each.next().rack() : "";
        while (each.hasNext()) {
            if (!each.next().rack().equals(first)) {
                return false;
            }
        }
        return true;
    }

    private Optional<List<BookieId>> spread(Seats seats, PlacementRules wanted, List<BookieId> candidates) {
        return SeatSearch.find(seats, wanted, domains, candidates);
    }

    private String describe(Seats seats, List<BookieId> candidates) {
        Map<String, Integer> racks = new TreeMap<>();
        candidates.forEach(each -> racks.merge(rackOf(each), 1, Integer::sum));
        String spread = rules.isEnforced()
                ? ", each write set in " + rules.racksMin() + " racks and " + rules.regionsMin() + " regions (enforced)"
                : "";
        return seats.openCount() + " bookies that take entries are needed for " + seats.quorums() + spread
                + ", and there are " + candidates.size()
                + (racks.keySet().stream().allMatch(String::isEmpty) ? "" : ", by rack " + racks)
                + (rules.isEnforced() ? describeUnknown(seats) : "");
    }

    private String rackOf(BookieId bookie) {
        return domains.getOrDefault(bookie, Domain.of("")).rack();
    }

    private String describeUnknown(Seats seats) {
        int unknown = 0;
        for (int slot = 0; slot < seats.before().size(); slot++) {
            boolean isKnown = seats.before().get(slot).map(domains::containsKey).orElse(true);
            unknown += isKnown || seats.isOpen(slot) ? 0 : 1;
        }
        return unknown == 0 ? "" : "; of " + unknown + " members that stay the racks are not known";
    }
}
