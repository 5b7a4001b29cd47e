// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.RandomSource;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice of bookies. */
final class SpreadPlacementTest {
    private static final PlacementRules RACKS = new PlacementRules(2, 1, false);
    private static final PlacementRules ENFORCED = new PlacementRules(2, 1, true);
    private static final Quorums THREE = new Quorums(3, 3, 2);

    private final RandomSource random = new SimulatedWorld(1).random("placement");

    private Placement placement(PlacementRules rules) {
        return new SpreadPlacement(random, rules, 30);
    }

    private static BookieId id(int i) {
        return new BookieId(0, i);
    }

    /** Bookie {@code i} has the {@code i}-th label. */
    private static List<BookieRegistration> bookies(String... labels) {
        List<BookieRegistration> bookies = new ArrayList<>();
        for (int i = 0; i < labels.length; i++) {
            bookies.add(bookie(i, labels[i], 0));
        }
        return bookies;
    }

    private static BookieRegistration bookie(int i, String label, long usableBytes) {
        return new BookieRegistration(id(i), "b" + i, "host", 1, false, label, usableBytes);
    }

    private static int different(
            Quorums quorums, List<BookieId> ensemble, int first, Function<BookieId, String> domain) {
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < quorums.writeQuorum(); i++) {
            seen.add(domain.apply(ensemble.get((first + i) % quorums.ensembleSize())));
        }
        return seen.size();
    }

    private static boolean isLegal(
            Quorums quorums, List<BookieId> ensemble, int min, Function<BookieId, String> domain) {
        for (int first = 0; first < quorums.ensembleSize(); first++) {
            if (different(quorums, ensemble, first, domain) < Math.min(min, quorums.writeQuorum())) {
                return false;
            }
        }
        return true;
    }

    /** Whether any arrangement of the racks obeys the rule: tries them all. */
    private static boolean existsLegal(Quorums quorums, Map<String, Integer> left, List<String> seats, int min) {
        if (seats.size() == quorums.ensembleSize()) {
            List<BookieId> places = new ArrayList<>();
            for (int i = 0; i < seats.size(); i++) {
                places.add(id(i));
            }
            return isLegal(quorums, places, min, place -> seats.get((int) place.low()));
        }
        for (String rack : List.copyOf(left.keySet())) {
            int count = left.getOrDefault(rack, 0);
            if (count > 0) {
                left.put(rack, count - 1);
                List<String> more = new ArrayList<>(seats);
                more.add(rack);
                boolean found = existsLegal(quorums, left, more, min);
                left.put(rack, count);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void aShortageTellsOfRacksOnlyWhereThereAreAny() {
        Placement placement = placement(RACKS);

        assertThat(placement
                        .choose(List.of(), Seats.allOpen(THREE), List.of(), 0)
                        .shortage())
                .endsWith("and there are 0");
        assertThat(placement
                        .choose(bookies("", ""), Seats.allOpen(THREE), List.of(), 0)
                        .shortage())
                .endsWith("and there are 2");
        assertThat(placement
                        .choose(bookies("a", "a"), Seats.allOpen(THREE), List.of(), 0)
                        .shortage())
                .endsWith("and there are 2, by rack {a=2}");
    }

    @Test
    void inTenThousandRoundsALegalEnsembleIsFoundWheneverThereIsOne() { // S-13, P-31
        int found = 0;
        int impossible = 0;
        for (int round = 0; round < 10_000; round++) {
            int count = 1 + random.below(8);
            String[] labels = new String[count];
            for (int i = 0; i < count; i++) {
                labels[i] = "r" + random.below(1 + random.below(4));
            }
            int size = 1 + random.below(6);
            int copies = 1 + random.below(size);
            int min = 1 + random.below(4);
            Quorums quorums = new Quorums(size, copies, 1 + random.below(copies));
            BookieId excluded = id(random.below(count));
            Map<String, Integer> racks = new TreeMap<>();
            for (int i = 0; i < count; i++) {
                if (!id(i).equals(excluded)) {
                    racks.merge(labels[i], 1, Integer::sum);
                }
            }

            Choice choice = placement(new PlacementRules(min, 1, true))
                    .choose(bookies(labels), Seats.allOpen(quorums), List.of(excluded), 0);

            String what = quorums + " min " + min + " of " + Arrays.toString(labels) + " without " + excluded;
            if (choice.isComplete()) {
                found++;
                assertThat(choice.ensemble()).as(what).doesNotHaveDuplicates().doesNotContain(excluded);
                assertThat(isLegal(quorums, choice.ensemble(), min, bookie -> labels[(int) bookie.low()]))
                        .as(what)
                        .isTrue();
            } else {
                impossible++;
                assertThat(existsLegal(quorums, racks, List.of(), min)).as(what).isFalse();
                assertThat(choice.shortage()).contains(quorums.toString(), "enforced");
            }
        }
        assertThat(found).isGreaterThan(2_000);
        assertThat(impossible).isGreaterThan(2_000);
    }

    /** Whether any choice for the open seats obeys both rules: tries them all. */
    private static boolean existsLegal(
            Quorums quorums, PlacementRules rules, List<Optional<String>> seats, Map<String, Integer> left) {
        int open = seats.indexOf(Optional.<String>empty());
        if (open < 0) {
            List<String> labels = seats.stream().map(Optional::orElseThrow).toList();
            return isLegal(quorums, rules, labels);
        }
        for (String label : List.copyOf(left.keySet())) {
            int count = left.getOrDefault(label, 0);
            if (count > 0) {
                left.put(label, count - 1);
                seats.set(open, Optional.of(label));
                boolean found = existsLegal(quorums, rules, seats, left);
                seats.set(open, Optional.empty());
                left.put(label, count);
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isLegal(Quorums quorums, PlacementRules rules, List<String> labels) {
        List<BookieId> places = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            places.add(id(i));
        }
        return isLegal(quorums, places, rules.racksMin(), place -> labels.get((int) place.low()))
                && isLegal(
                        quorums,
                        places,
                        rules.regionsMin(),
                        place -> Domain.of(labels.get((int) place.low())).region());
    }

    private static boolean existsLegalReplacement(
            Quorums quorums, PlacementRules rules, Seats seats, BookieId excluded, String[] labels) {
        List<Optional<String>> places = new ArrayList<>();
        Map<String, Integer> left = new TreeMap<>();
        for (int i = 0; i < labels.length; i++) {
            if (!id(i).equals(excluded) && !seats.before().contains(Optional.of(id(i)))) {
                left.merge(labels[i], 1, Integer::sum);
            }
        }
        for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
            Optional<BookieId> kept =
                    seats.isOpen(slot) ? Optional.empty() : seats.before().get(slot);
            places.add(kept.map(bookie -> labels[(int) bookie.low()]));
        }
        return existsLegal(quorums, rules, places, left);
    }

    private static List<Integer> subsets(int slots, int countMin) {
        return IntStream.rangeClosed(1, slots)
                .filter(some -> (some & ~slots) == 0 && Integer.bitCount(some) >= countMin)
                .boxed()
                .toList();
    }

    private String drawLabel(int racks, int regions) {
        int region = random.below(regions);
        return random.below(6) == 0 ? "" : (region == 0 ? "" : "g" + region + "/") + "r" + random.below(racks);
    }

    @Test
    void inTenThousandReplacementsBothRulesHoldAndAsManyAreReplacedAsCanBe() { // S-13
        int replaced = 0;
        int impossible = 0;
        while (replaced < 10_000) {
            int count = 2 + random.below(7);
            String[] labels = new String[count];
            int racks = 1 + random.below(4);
            int regions = 1 + random.below(3);
            Arrays.setAll(labels, i -> drawLabel(racks, regions));
            int size = 1 + random.below(Math.min(5, count));
            int copies = 1 + random.below(size);
            Quorums quorums = new Quorums(size, copies, 1 + random.below(copies));
            PlacementRules rules = new PlacementRules(1 + random.below(3), 1 + random.below(2), true);
            Placement placement = placement(rules);
            Choice first = placement.choose(bookies(labels), Seats.allOpen(quorums), List.of(), 0);
            List<BookieId> ensemble = first.isComplete() ? first.ensemble() : List.of();
            for (int change = 0; change < 10 && !ensemble.isEmpty(); change++) {
                int openSlots = 1 + random.below((1 << size) - 1);
                BookieId excluded = id(random.below(count));
                Seats seats = Seats.replacing(quorums, ensemble, openSlots);

                Choice choice = placement.choose(bookies(labels), seats, List.of(excluded), 0);

                String what = quorums + " " + rules + " of " + Arrays.toString(labels) + " in place of "
                        + Integer.toBinaryString(openSlots) + " in " + ensemble + " without " + excluded;
                ensemble = choice.ensemble();
                assertThat(ensemble).as(what).doesNotHaveDuplicates();
                assertThat(isLegal(
                                quorums,
                                rules,
                                ensemble.stream()
                                        .map(each -> labels[(int) each.low()])
                                        .toList()))
                        .as(what)
                        .isTrue();
                replaced++;
                if (!choice.isComplete()) {
                    impossible++;
                    assertThat(subsets(openSlots, choice.chosen() + 1))
                            .as(what)
                            .map(more -> new Seats(quorums, seats.before(), more))
                            .noneMatch(more -> existsLegalReplacement(quorums, rules, more, excluded, labels));
                }
            }
        }
        assertThat(impossible).isBetween(500, 9_500);
    }

    @Test
    void whatCannotBeDecidedInAThousandWaysEndsAllTheSame() { // S-13: bounded time
        String[] labels = new String[40];
        Arrays.setAll(labels, i -> "r" + i % 3);
        Quorums quorums = new Quorums(31, 4, 2);

        Choice impossible =
                placement(new PlacementRules(4, 1, true)).choose(bookies(labels), Seats.allOpen(quorums), List.of(), 0);
        Choice possible =
                placement(new PlacementRules(3, 1, true)).choose(bookies(labels), Seats.allOpen(quorums), List.of(), 0);

        assertThat(impossible.isComplete()).isFalse();
        assertThat(possible.isComplete()).isTrue();
        assertThat(isLegal(quorums, possible.ensemble(), 3, bookie -> labels[(int) bookie.low()]))
                .isTrue();
    }

    @Test
    void theRacksOfTheScenarioAreUsedWhoeverIsExcluded() { // S-13
        List<BookieRegistration> live = bookies("r1", "r1", "r2", "r3");
        for (int round = 0; round < 1_000; round++) {
            for (int excluded = 2; excluded < 4; excluded++) {
                Choice choice = placement(ENFORCED).choose(live, Seats.allOpen(THREE), List.of(id(excluded)), 0);

                assertThat(choice.isComplete()).isTrue();
                assertThat(choice.ensemble()).contains(id(0), id(1), id(excluded == 2 ? 3 : 2));
            }
        }
        Choice none = placement(ENFORCED).choose(live.subList(0, 2), Seats.allOpen(new Quorums(2, 2, 2)), List.of(), 0);
        assertThat(none.shortage()).contains("{r1=2}");
    }

    @Test
    void inOneRackALedgerIsMadeUnlessTheRuleIsEnforced() { // S-13
        List<BookieRegistration> live = bookies("r1", "r1", "r1");

        assertThat(placement(RACKS)
                        .choose(live, Seats.allOpen(THREE), List.of(), 0)
                        .isComplete())
                .isTrue();
        assertThat(placement(ENFORCED)
                        .choose(live, Seats.allOpen(THREE), List.of(), 0)
                        .isComplete())
                .isFalse();
    }

    @Test
    void copiesAreSpreadOverRegions() {
        List<BookieRegistration> live = bookies("eu/r1", "eu/r2", "eu/r3", "us/r1", "us/r2", "eu/r4");
        for (int round = 0; round < 500; round++) {
            Quorums striped = new Quorums(5, 3, 2);
            Choice choice =
                    placement(new PlacementRules(2, 2, true)).choose(live, Seats.allOpen(striped), List.of(), 0);

            assertThat(choice.isComplete()).isTrue();
            Function<BookieId, String> region =
                    bookie -> Domain.of(live.get((int) bookie.low()).rack()).region();
            assertThat(isLegal(striped, choice.ensemble(), 2, region)).isTrue();
        }
    }

    @Test
    void aFailedMemberIsReplacedWithoutLeavingTheCopiesInOneRack() {
        List<BookieRegistration> live = bookies("r1", "r1", "r2", "r1", "r2");
        for (int round = 0; round < 200; round++) {
            Seats seats = Seats.replacing(THREE, List.of(id(0), id(1), id(2)), 0b100);

            Choice choice = placement(RACKS).choose(live, seats, List.of(), 0);

            assertThat(choice.ensemble()).containsExactly(id(0), id(1), id(4));
        }
    }

    @Test
    void anEnsembleThatBreaksTheRuleAlreadyIsStillRepaired() {
        List<BookieRegistration> live = bookies("r1", "r1", "r1", "r1");
        Seats seats = Seats.replacing(new Quorums(3, 3, 2), List.of(id(0), id(1), id(2)), 0b100);

        Choice preferred = placement(RACKS).choose(live, seats, List.of(), 0);
        Choice strict = placement(ENFORCED).choose(live, seats, List.of(), 0);

        assertThat(preferred.ensemble()).containsExactly(id(0), id(1), id(3));
        assertThat(strict.chosen()).isZero(); // Another rack could still be found for that seat.
        assertThat(strict.ensemble()).containsExactly(id(0), id(1), id(2));
    }

    @Test
    void whereOneSpareObeysAnEnforcedRuleInOnlyOneOfTheFailedSeatsItGetsThat() {
        List<BookieRegistration> before = bookies("r3", "r1", "r2", "r3", "r2", "r1");
        List<BookieRegistration> live = List.of(before.get(1), before.get(2), before.get(4), before.get(5));
        List<BookieId> ensemble = List.of(id(0), id(1), id(2), id(3), id(4));
        Placement placement = placement(ENFORCED);
        placement.learn(before);

        Choice choice = placement.choose(live, Seats.replacing(new Quorums(5, 2, 2), ensemble, 0b01001), List.of(), 0);

        assertThat(choice.chosen()).isEqualTo(1);
        assertThat(choice.ensemble()).containsExactly(id(0), id(1), id(2), id(5), id(4));
        assertThat(choice.shortage()).contains("2 bookies", "there are 1");
    }

    @Test
    void labelsThatChangeAreObeyedAtOnce() { // S-13
        Placement placement = placement(ENFORCED);
        assertThat(placement
                        .choose(bookies("r1", "r1", "r1"), Seats.allOpen(THREE), List.of(), 0)
                        .isComplete())
                .isFalse();

        assertThat(placement
                        .choose(bookies("r1", "r1", "r2"), Seats.allOpen(THREE), List.of(), 0)
                        .isComplete())
                .isTrue();
        assertThat(placement
                        .choose(bookies("", "", ""), Seats.allOpen(THREE), List.of(), 0)
                        .isComplete())
                .isFalse();
    }

    @Test
    void veryUnevenSpaceIsFilledInProportionButNobodyIsFloodedOrForgotten() { // S-13
        List<BookieRegistration> live = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            live.add(bookie(i, "", i == 0 ? 1_000_000_000_000L : i == 1 ? 1 : 1_000_000));
        }
        int[] chosen = new int[6];
        for (int round = 0; round < 6_000; round++) {
            Choice choice = placement(RACKS).choose(live, Seats.allOpen(new Quorums(1, 1, 1)), List.of(), 0);
            chosen[(int) choice.ensemble().get(0).low()]++;
        }

        assertThat(chosen[0]).isBetween(2 * chosen[3], 4 * chosen[3]);
        assertThat(chosen[1]).isBetween(1, chosen[3] / 4);
    }

    @Test
    void thereAreFewerWhenThereAreNoMore() {
        List<BookieRegistration> live = new ArrayList<>(bookies("", "", ""));
        live.set(2, new BookieRegistration(id(2), "b2", "host", 1, true, "", 0)); // Takes no entries.

        Choice choice = placement(RACKS).choose(live, Seats.allOpen(THREE), List.of(id(0)), 0);

        assertThat(choice.chosen()).isEqualTo(1);
        assertThat(choice.seats()).containsExactly(Optional.of(id(1)), Optional.empty(), Optional.empty());
        assertThat(choice.shortage()).contains("3 bookies", "there are 1");
        assertThat(placement(RACKS)
                        .choose(List.of(), Seats.allOpen(THREE), List.of(), 0)
                        .chosen())
                .isZero();
    }

    @Test
    void bookiesThatFailedLatelyComeLastAndTheOneThatFailedFirstBeforeTheOthers() {
        Placement placement = placement(RACKS);
        placement.failed(id(0), 100);
        placement.failed(id(1), 90);

        assertThat(placement
                        .choose(bookies("", "", ""), Seats.allOpen(THREE), List.of(), 110)
                        .ensemble())
                .containsExactly(id(2), id(1), id(0));
        assertThat(placement
                        .choose(bookies("", "", ""), Seats.allOpen(new Quorums(1, 1, 1)), List.of(), 110)
                        .ensemble())
                .containsExactly(id(2));
    }

    @Test
    void anAvoidedBookieIsUsedWhenOnlyItObeysAnEnforcedRule() {
        Placement placement = placement(ENFORCED);
        placement.failed(id(3), 100);

        Choice choice = placement.choose(bookies("r1", "r1", "r1", "r2"), Seats.allOpen(THREE), List.of(), 110);

        assertThat(choice.ensemble()).contains(id(3));
    }

    @Test
    void quarantineEnds() {
        Placement placement = placement(RACKS);
        placement.failed(id(0), 100);
        Set<BookieId> chosen = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            chosen.addAll(placement
                    .choose(bookies("", ""), Seats.allOpen(new Quorums(1, 1, 1)), List.of(), 130)
                    .ensemble());
        }

        assertThat(chosen).contains(id(0));
    }
}
