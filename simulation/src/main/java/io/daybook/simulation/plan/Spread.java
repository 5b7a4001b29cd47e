// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.ledger.placement.PlacementRules;
import io.daybook.ledger.placement.Seats;
import io.daybook.ledger.placement.SpreadPlacement;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * In which racks the bookies of a run are, and over how many of them clients spread copies.
 *
 * @param rules what clients obey
 * @param labels of the bookies, in their order; those beyond the list have none
 */
public record Spread(PlacementRules rules, List<String> labels) {
    /** No labels, and the rules of production. */
    public static final Spread NONE = new Spread(new PlacementRules(2, 1, false), List.of());

    private static final String NO_LABEL = "-";
    private static final int PARTS_MIN = 3;
    private static final int LAYOUTS_MAX = 20;
    private static final int UNLABELLED_ONE_IN = 8;

    /** Copies the list. */
    public Spread {
        labels = List.copyOf(labels);
    }

    /**
     * Draws one, from chance of its own, in half of the plans none. Rules are enforced only where an ensemble of each of the {@code ensembles} can obey them.
     *
     * @param mayEnforce whether bookies that are gone for ever can be replaced all the same
     */
    static Spread draw(long seed, int bookies, List<Quorums> ensembles, boolean mayEnforce) {
        SimulatedRandom random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("racks"));
        if (random.nextBelow(2) == 0) {
            return NONE;
        }
        boolean isEnforced = random.nextBelow(4) > 0 && mayEnforce;
        for (int layout = 0; isEnforced && layout < LAYOUTS_MAX; layout++) {
            Spread drawn = drawLayout(random, bookies, true);
            if (ensembles.stream().allMatch(quorums -> drawn.isPossible(quorums, random))) {
                return drawn;
            }
        }
        return drawLayout(random, bookies, false);
    }

    private static Spread drawLayout(SimulatedRandom random, int bookies, boolean isEnforced) {
        int racksMin = 1 + (int) random.nextBelow(3);
        int regionsMin = 1 + (int) random.nextBelow(2);
        int racks = 1 + (int) random.nextBelow(bookies);
        int regions = 1 + (int) random.nextBelow(3);
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < bookies; i++) {
            int rack = (int) random.nextBelow(racks);
            String region = rack % regions == 0 ? "" : "g" + rack % regions + "/";
            labels.add(random.nextBelow(UNLABELLED_ONE_IN) == 0 ? "" : region + "r" + rack);
        }
        return new Spread(new PlacementRules(racksMin, regionsMin, isEnforced), labels);
    }

    private boolean isPossible(Quorums quorums, SimulatedRandom random) {
        List<BookieRegistration> all = IntStream.range(0, labels.size())
                .mapToObj(i -> new BookieRegistration(new BookieId(0, i), "b" + i, "b" + i, 1, false, labelOf(i), 0))
                .toList();
        return new SpreadPlacement(random, rules, 0)
                .choose(all, Seats.allOpen(quorums), List.of(), 0)
                .isComplete();
    }

    /** The label of a bookie; empty for none. */
    public String labelOf(int bookie) {
        return bookie < labels.size() ? labels.get(bookie) : "";
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    static Spread parse(String text) {
        String[] parts = text.trim().split(" +", -1);
        if (parts.length < PARTS_MIN) {
            throw new IllegalArgumentException("'" + text + "' is not a spread: racksMin regionsMin enforced labels");
        }
        List<String> labels = new ArrayList<>();
        for (int i = PARTS_MIN; i < parts.length; i++) {
            labels.add(parts[i].equals(NO_LABEL) ? "" : parts[i]);
        }
        PlacementRules rules = new PlacementRules(
                Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Boolean.parseBoolean(parts[2]));
        return new Spread(rules, labels);
    }

    @Override
    public String toString() {
        return rules.racksMin() + " " + rules.regionsMin() + ' ' + rules.isEnforced()
                + labels.stream()
                        .map(label -> " " + (label.isEmpty() ? NO_LABEL : label))
                        .collect(Collectors.joining());
    }
}
