// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

import io.daybook.metadata.model.Quorums;
import java.util.Collection;
import java.util.EnumSet;

/**
 * The constants of a model.
 *
 * @param quorums E, Qw, Qa; E at most 6
 * @param entries how many the writer sends, 1 to 6
 * @param bookies E to 8
 * @param recoverers 0 to 3
 * @param freedom what else may happen
 * @param defects rules that are left out
 * @param unchecked properties that are not looked at, to see what a defect breaks besides them
 */
public record ModelConfig(
        Quorums quorums,
        int entries,
        int bookies,
        int recoverers,
        Freedom freedom,
        EnumSet<ModelDefect> defects,
        EnumSet<Property> unchecked) {
    private static final int ENTRIES_MAX = 6;
    private static final int BOOKIES_MAX = 8;
    private static final int RECOVERERS_MAX = 3;
    private static final int ENSEMBLE_MAX = 6;

    /**
     * How often things happen.
     *
     * @param writerChanges ensemble changes that the writer may begin, 0 to 3
     * @param recoveryChanges members that each recoverer may replace, 0 or 1
     * @param wipes bookies that may be lost with everything on them, 0 to Qa - 1
     * @param hasReaders whether it is kept what bookies tell as last add confirmed and what readers were given; without it a bookie may tell any
     *     value up to the writer's
     */
    public record Freedom(int writerChanges, int recoveryChanges, int wipes, boolean hasReaders) {
        /** Checks the ranges. */
        public Freedom {
            requireRange("writer changes", writerChanges, 0, 3);
            requireRange("recovery changes", recoveryChanges, 0, 1);
            requireRange("wipes", wipes, 0, 3);
        }
    }

    /** Checks the ranges; throws {@link IllegalArgumentException}. */
    public ModelConfig {
        requireRange("entries", entries, 1, ENTRIES_MAX);
        requireRange("the ensemble", quorums.ensembleSize(), 1, ENSEMBLE_MAX);
        requireRange("bookies", bookies, quorums.ensembleSize(), BOOKIES_MAX);
        requireRange("recoverers", recoverers, 0, RECOVERERS_MAX);
        requireRange("wipes", freedom.wipes, 0, quorums.ackQuorum() - 1);
        defects = defects.clone();
        unchecked = unchecked.clone();
    }

    /** A model with every rule in place. */
    public ModelConfig(Quorums quorums, int entries, int bookies, int recoverers, Freedom freedom) {
        this(
                quorums,
                entries,
                bookies,
                recoverers,
                freedom,
                EnumSet.noneOf(ModelDefect.class),
                EnumSet.noneOf(Property.class));
    }

    /** The same without a rule. */
    public ModelConfig without(ModelDefect rule) {
        EnumSet<ModelDefect> one = EnumSet.noneOf(ModelDefect.class);
        one.add(rule);
        return new ModelConfig(quorums, entries, bookies, recoverers, freedom, one, unchecked);
    }

    /** The same without looking at some properties. */
    public ModelConfig notChecking(Collection<Property> properties) {
        EnumSet<Property> none = EnumSet.noneOf(Property.class);
        none.addAll(properties);
        return new ModelConfig(quorums, entries, bookies, recoverers, freedom, defects, none);
    }

    /** Whether that rule is left out. */
    public boolean has(ModelDefect defect) {
        return defects.contains(defect);
    }

    private static void requireRange(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", not " + value);
        }
    }

    @Override
    public String toString() {
        return quorums.ensembleSize() + "/" + quorums.writeQuorum() + "/" + quorums.ackQuorum() + " entries=" + entries
                + " bookies=" + bookies + " recoverers=" + recoverers + " writerChanges=" + freedom.writerChanges
                + " recoveryChanges=" + freedom.recoveryChanges + " wipes=" + freedom.wipes
                + (freedom.hasReaders ? " readers" : "") + (defects.isEmpty() ? "" : " without " + defects);
    }
}
