// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S-13: members whose racks nobody knows, as they were gone before this client began. An enforced rule must hold whatever racks they are in.
 */
final class UnknownRacksTest {
    private static final String[] RACKS = {"r1", "r2", "r3"};
    /** Racks that a member nobody knows may be in: those that are known, and others. */
    private static final String[] POSSIBLE = {"r1", "r2", "r3", "x", "y"};

    private static final String UNKNOWN = "?";
    /** What each seat of an ensemble can be; the open ones are those that are to be filled. */
    private static final List<Seat> SEATS = List.of(
            new Seat("r1", false),
            new Seat("r2", false),
            new Seat("r3", false),
            new Seat(UNKNOWN, false),
            new Seat("r1", true),
            new Seat(UNKNOWN, true));

    private static final List<List<String>> SPARES = List.of(
            List.of("r1"),
            List.of("r3"),
            List.of("r1", "r1"),
            List.of("r2", "r3"),
            List.of("r1", "r1", "r2"),
            List.of("r1", "r2", "r3"));

    private record Seat(String rack, boolean isOpen) {}

    /** The racks of an ensemble before and after some of its seats were filled. */
    private record Change(Quorums quorums, int racksMin, List<String> before, List<String> after, int filled) {
        private boolean isFilled(int slot) {
            return (filled & (1 << slot)) != 0;
        }

        /** Whether the rule holds for each write set in which a seat was filled, as far as those that stay allow, in every case. */
        boolean isLegal(int from) {
            int unknown = after.subList(from, after.size()).indexOf(UNKNOWN);
            if (unknown < 0) {
                return isLegal();
            }
            int slot = from + unknown;
            for (String rack : POSSIBLE) {
                after.set(slot, rack);
                boolean holds = isLegal(slot + 1);
                after.set(slot, UNKNOWN);
                if (!holds) {
                    return false;
                }
            }
            return true;
        }

        private boolean isLegal() {
            int size = quorums.ensembleSize();
            for (int first = 0; first < size; first++) {
                Set<String> all = new TreeSet<>();
                Set<String> staying = new TreeSet<>();
                int changed = 0;
                for (int i = 0; i < quorums.writeQuorum(); i++) {
                    int slot = (first + i) % size;
                    all.add(after.get(slot));
                    if (isFilled(slot)) {
                        changed++;
                    } else {
                        staying.add(after.get(slot));
                    }
                }
                int wanted = Math.min(Math.min(racksMin, quorums.writeQuorum()), staying.size() + changed);
                if (changed > 0 && all.size() < wanted) {
                    return false;
                }
            }
            return true;
        }
    }

    private static BookieId id(int i) {
        return new BookieId(0, i);
    }

    private static BookieRegistration bookie(int i, String label) {
        return new BookieRegistration(id(i), "b" + i, "host", 1, false, label, 0);
    }

    private static Placement placement(PlacementRules rules) {
        return new SpreadPlacement(new SimulatedWorld(1).random("placement"), rules, 30);
    }

    private static List<List<Seat>> ensembles(int size) {
        List<List<Seat>> all = List.of(List.of());
        for (int slot = 0; slot < size; slot++) {
            List<List<Seat>> longer = new ArrayList<>();
            for (List<Seat> each : all) {
                for (Seat seat : SEATS) {
                    List<Seat> more = new ArrayList<>(each);
                    more.add(seat);
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    private static int openSlots(List<Seat> seats) {
        int open = 0;
        for (int slot = 0; slot < seats.size(); slot++) {
            open |= seats.get(slot).isOpen() ? 1 << slot : 0;
        }
        return open;
    }

    /** Whether the first {@code count} open seats can be filled: tries all ways. */
    private static boolean isPossible(Change change, int open, int count, List<String> spares) {
        if (count == 0) {
            return change.isLegal(0);
        }
        int slot = Integer.numberOfTrailingZeros(open);
        for (String rack : RACKS) {
            if (spares.contains(rack)) {
                List<String> left = new ArrayList<>(spares);
                left.remove(rack);
                List<String> after = new ArrayList<>(change.after());
                after.set(slot, rack);
                Change next = new Change(
                        change.quorums(), change.racksMin(), change.before(), after, change.filled() | (1 << slot));
                if (isPossible(next, open & (open - 1), count - 1, left)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void check(Quorums quorums, int racksMin, List<Seat> seats, List<String> spares, int[] outcomes) {
        int size = seats.size();
        int open = openSlots(seats);
        List<BookieRegistration> live = new ArrayList<>();
        List<BookieId> ensemble = new ArrayList<>();
        List<String> racks = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            ensemble.add(id(slot));
            racks.add(seats.get(slot).rack());
            if (!seats.get(slot).rack().equals(UNKNOWN)) {
                live.add(bookie(slot, seats.get(slot).rack()));
            }
        }
        for (int i = 0; i < spares.size(); i++) {
            live.add(bookie(size + i, spares.get(i)));
        }

        Choice choice = placement(new PlacementRules(racksMin, 1, true))
                .choose(live, Seats.replacing(quorums, ensemble, open), List.of(), 0);

        String what = quorums + " min " + racksMin + " " + seats + " spares " + spares + ": " + choice;
        List<String> after = new ArrayList<>(racks);
        int filled = 0;
        for (int slot = 0; slot < size; slot++) {
            int chosen = (int) choice.ensemble().get(slot).low();
            if (chosen >= size) {
                after.set(slot, spares.get(chosen - size));
                filled |= 1 << slot;
            }
        }
        assertThat(Integer.bitCount(filled)).as(what).isEqualTo(choice.chosen());
        assertThat(filled & ~open).as(what).isZero();
        assertThat(new Change(quorums, racksMin, racks, after, filled).isLegal(0))
                .as(what)
                .isTrue();
        Change before = new Change(quorums, racksMin, racks, racks, 0);
        for (int more = choice.chosen() + 1; more <= Math.min(Integer.bitCount(open), spares.size()); more++) {
            assertThat(isPossible(before, open, more, spares)).as(what).isFalse();
        }
        outcomes[choice.isComplete() ? 0 : 1]++;
    }

    private static void checkAll(Quorums quorums, List<Seat> seats, int[] outcomes) {
        for (List<String> spares : SPARES) {
            check(quorums, 2, seats, spares, outcomes);
            check(quorums, 3, seats, spares, outcomes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void inEverySmallEnsembleARuleHoldsWhateverRacksTheUnknownAreInAndAWayIsFoundWheneverThereIsOne(int size) {
        int[] outcomes = new int[2];
        for (List<Seat> seats : ensembles(size)) {
            for (int copies = 1; openSlots(seats) != 0 && copies <= size; copies++) {
                checkAll(new Quorums(size, copies, copies), seats, outcomes);
            }
        }
        assertThat(outcomes[0]).isPositive();
        assertThat(outcomes[1]).isPositive();
    }

    @Test
    void aRefusalSaysThatRacksAreNotKnown() {
        Quorums quorums = new Quorums(4, 3, 3);
        List<BookieId> ensemble = List.of(id(0), id(1), id(2), id(3));
        List<BookieRegistration> live = List.of(bookie(0, "r1"), bookie(4, "r1"), bookie(5, "r1"));

        Choice choice = placement(new PlacementRules(2, 1, true))
                .choose(live, Seats.replacing(quorums, ensemble, 0b1000), List.of(), 0);

        assertThat(choice.chosen()).isZero();
        assertThat(choice.shortage()).contains("enforced", "{r1=2}", "of 2 members that stay the racks are not known");
    }

    @Test
    void theRackOfAMemberThatWasSeenBeforeItLeftIsKnown() {
        Placement placement = placement(new PlacementRules(2, 1, true));
        Quorums quorums = new Quorums(2, 2, 2);
        Seats seats = Seats.replacing(quorums, List.of(id(0), id(1)), 0b10);
        List<BookieRegistration> live = List.of(bookie(2, "r2"), bookie(3, "r1"));
        assertThat(placement.choose(live.subList(0, 1), seats, List.of(), 0).chosen())
                .isZero();

        placement.learn(List.of(bookie(0, "r1")));

        assertThat(placement.choose(live, seats, List.of(), 0).seats())
                .containsExactly(Optional.of(id(0)), Optional.of(id(2)));
    }

    @Test
    void aRegionThatIsNotKnownIsNoFurtherOne() {
        Quorums quorums = new Quorums(3, 3, 2);
        List<BookieId> ensemble = List.of(id(0), id(1), id(2));
        PlacementRules rules = new PlacementRules(1, 2, true);
        for (String spare : Arrays.asList("eu/b", "us/b")) {
            List<BookieRegistration> live = List.of(bookie(0, "eu/a"), bookie(3, spare));

            Choice choice = placement(rules).choose(live, Seats.replacing(quorums, ensemble, 0b100), List.of(), 0);

            assertThat(choice.isComplete()).isEqualTo(spare.startsWith("us"));
        }
    }

    @Test
    void aRuleThatIsNotEnforcedNeitherRefusesNorTakesTheUnknownForAFurtherRack() {
        Quorums quorums = new Quorums(3, 3, 2);
        List<BookieId> ensemble = List.of(id(0), id(1), id(2));
        PlacementRules rules = new PlacementRules(2, 1, false);
        List<BookieRegistration> live = List.of(bookie(0, "r1"), bookie(3, "r1"), bookie(4, "r2"));
        Seats seats = Seats.replacing(quorums, ensemble, 0b100);

        for (int round = 0; round < 20; round++) {
            assertThat(placement(rules).choose(live, seats, List.of(), round).seats())
                    .contains(Optional.of(id(4)));
        }
        assertThat(placement(rules)
                        .choose(live.subList(0, 2), seats, List.of(), 0)
                        .seats())
                .contains(Optional.of(id(3)));
    }
}
