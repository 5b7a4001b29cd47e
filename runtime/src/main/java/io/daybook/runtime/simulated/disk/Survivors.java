// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.util.ArrayList;
import java.util.List;

/** Which of the operations that are not durable yet survive a crash: the fate of each, by its place among them from the oldest to the newest. */
public final class Survivors {
    /** Decides one operation. */
    @FunctionalInterface
    private interface Rule {
        Fate fateOf(int index, int count, boolean isName);
    }

    private final String name;
    private final long seed;
    private final Rule rule;

    private Survivors(String name, long seed, Rule rule) {
        this.name = name;
        this.seed = seed;
        this.rule = rule;
    }

    /** Nothing survives. */
    public static Survivors none() {
        return new Survivors("none", 0, (index, count, isName) -> Fate.LOST);
    }

    /** Everything survives. */
    public static Survivors all() {
        return new Survivors("all", 0, (index, count, isName) -> Fate.KEPT);
    }

    /** The first {@code kept} operations survive. */
    public static Survivors first(int kept) {
        return new Survivors("first " + kept, 0, (index, count, isName) -> index < kept ? Fate.KEPT : Fate.LOST);
    }

    /** All survive but one. */
    public static Survivors allBut(int missing) {
        return new Survivors(
                "all but " + missing, 0, (index, count, isName) -> index == missing ? Fate.LOST : Fate.KEPT);
    }

    /** One survives alone. */
    public static Survivors only(int kept) {
        return new Survivors("only " + kept, 0, (index, count, isName) -> index == kept ? Fate.KEPT : Fate.LOST);
    }

    /** All survive, the newest one torn. */
    public static Survivors lastTorn(long seed) {
        return new Survivors("last torn", seed, (index, count, isName) -> index == count - 1 ? Fate.TORN : Fate.KEPT);
    }

    /** Drawn from a seed in the given way. */
    public static Survivors drawn(CrashMode mode, long seed) {
        return new Survivors(
                mode + " " + seed, seed, (index, count, isName) -> drawn(mode, seed, index, count, isName));
    }

    private static Fate drawn(CrashMode mode, long seed, int index, int count, boolean isName) {
        long own = SimulatedRandom.mix(seed, Stream.CRASH, 1, index);
        long border = SimulatedRandom.below(SimulatedRandom.mix(seed, Stream.CRASH, 2, 0), count + 1L);
        Fate kept = isName ? Fate.KEPT : Fate.LOST;
        return switch (mode) {
            case LOSE_ALL -> Fate.LOST;
            case KEEP_ALL -> Fate.KEPT;
            case KEEP_PREFIX -> index < border ? Fate.KEPT : Fate.LOST;
            case ANY_SUBSET -> own % 2 == 0 ? Fate.KEPT : Fate.LOST;
            case TEAR_LAST -> tornAt(index, border);
            case TEAR_ALL -> isName ? Fate.KEPT : Fate.TORN;
            case GROW -> isName ? Fate.KEPT : grown(own);
            case LOSE_NAMES -> isName ? Fate.LOST : Fate.KEPT;
            case LOSE_BYTES -> kept;
        };
    }

    private static Fate tornAt(int index, long border) {
        if (index == border) {
            return Fate.TORN;
        }
        return index < border ? Fate.KEPT : Fate.LOST;
    }

    private static Fate grown(long draw) {
        return draw % 2 == 0 ? Fate.GREW_ZERO : Fate.GREW_OLD;
    }

    Fate fateOf(int index, int count, boolean isName) {
        return rule.fateOf(index, count, isName);
    }

    /** From what the sectors of torn writes are drawn. */
    long seed() {
        return seed;
    }

    /** Every variant that crash-point enumeration tries on so many operations: none, all, each one missing, each one alone, the newest one torn. */
    public static List<Survivors> variantsOf(int count) {
        List<Survivors> variants = new ArrayList<>();
        variants.add(none());
        if (count == 0) {
            return variants;
        }
        variants.add(all());
        variants.add(lastTorn(count));
        for (int i = 0; count > 1 && i < count; i++) {
            variants.add(allBut(i));
            variants.add(only(i));
        }
        return variants;
    }

    @Override
    public String toString() {
        return name;
    }
}
