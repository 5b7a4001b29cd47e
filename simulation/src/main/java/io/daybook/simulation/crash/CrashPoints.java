// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.runtime.Failures;
import io.daybook.simulation.crash.LoneBookie.Disks;
import io.daybook.simulation.crash.Recording.Cut;
import io.daybook.simulation.crash.Recording.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Lets a bookie live, and then for every moment between two disk operations, and every way in which its disks may be found if the power fails there, starts
 * it again: it must start and keep what it told (S-22, S-24, B1 to B8, B12). Some of these starts are crashed in the same way.
 *
 * <p><i>Threading:</i> the thread that calls it runs everything.
 */
public final class CrashPoints {
    private static final int FINDINGS_MAX = 10;

    private final Trial trial;
    private final IntPredicate goOn;
    private final List<CrashFinding> findings = new ArrayList<>();
    private int moments;
    private int starts;
    private boolean isCut;

    private CrashPoints(Trial trial, IntPredicate goOn) {
        this.trial = trial;
        this.goOn = goOn;
    }

    /**
     * What is tried.
     *
     * @param seed of everything that is drawn, such as how long a disk takes
     * @param defects planted in the bookie, by their points
     */
    public record Trial(CrashScript script, long seed, Depth depth, List<String> defects) {
        /** Copies the list. */
        public Trial {
            defects = List.copyOf(defects);
        }
    }

    /**
     * How much is tried.
     *
     * @param everyNthMoment 1 for all
     * @param everyNthStart of which starts the operations are crashed in turn; 0 for none
     */
    public record Depth(int everyNthMoment, int everyNthStart) {
        /** Every moment, and every start is crashed in turn. */
        public static final Depth ALL = new Depth(1, 1);

        /** Refuses a negative number, and 0 moments. */
        public Depth {
            if (everyNthMoment < 1 || everyNthStart < 0) {
                throw new IllegalArgumentException(
                        "crash points: every " + everyNthMoment + "th moment, every " + everyNthStart + "th start");
            }
        }
    }

    /**
     * What came of it.
     *
     * @param moments between two operations
     * @param starts after a crash
     * @param findings what is wrong; empty when nothing is. Looking ends at ten
     */
    public record Result(CrashScript script, int moments, int starts, List<CrashFinding> findings) {}

    /** Tries; {@code goOn} is asked before each start with the number of those before and ends it by saying no. */
    public static Result of(Trial trial, IntPredicate goOn) {
        CrashPoints points = new CrashPoints(trial, goOn);
        points.run();
        return new Result(trial.script(), points.moments, points.starts, List.copyOf(points.findings));
    }

    private void run() {
        LoneBookie one = trial.script().begin(trial.seed(), trial.defects());
        Recording recording = new Recording(one);
        trial.script().live(one);
        crashAll(recording, true, () -> "");
    }

    private void crashAll(Recording recording, boolean isOuter, Supplier<String> before) {
        List<Cut> cuts = recording.cuts();
        moments += cuts.size();
        for (int number = 0; number < cuts.size(); number++) {
            boolean isTried = !isOuter || number % trial.depth().everyNthMoment() == 0 || number == cuts.size() - 1;
            List<Variant> variants = isTried ? variants(recording, number, isOuter) : List.of();
            for (Variant variant : variants) {
                isCut |= findings.size() >= FINDINGS_MAX || !goOn.test(starts);
                if (isCut) {
                    return;
                }
                start(recording, cuts.get(number), variant, isOuter, before);
            }
        }
    }

    /** A start that is crashed in turn finds nothing or everything; only the first crash is tried in every way. */
    private static List<Variant> variants(Recording recording, int number, boolean isOuter) {
        List<Variant> all = recording.variantsAt(number);
        return isOuter ? all : all.subList(0, 2);
    }

    private void start(Recording recording, Cut cut, Variant variant, boolean isOuter, Supplier<String> before) {
        starts++;
        boolean isCrashedInTurn = isOuter
                && trial.depth().everyNthStart() > 0
                && starts % trial.depth().everyNthStart() == 0;
        Supplier<String> moment = () -> before.get() + recording.describe(cut) + "; " + variant;
        Disks disks = recording.disksAt(cut, variant);
        LoneBookie one = recording.bookie().after(disks, cut.metadata(), cut.told());
        Recording starting = new Recording(one);
        Optional<String> wrong = startAndJudge(one, cut.told());
        wrong.ifPresent(what -> findings.add(new CrashFinding(trial.script(), moment.get(), what)));
        if (isCrashedInTurn && wrong.isEmpty()) {
            crashAll(starting, false, () -> moment.get() + ",\n    and again, while it starts, after ");
        }
    }

    private Optional<String> startAndJudge(LoneBookie one, Told told) {
        try {
            if (trial.script() == CrashScript.FORMAT) {
                one.format(); // Whoever does not know whether it was done does it again.
            }
            one.start();
        } catch (RuntimeException failure) {
            return Optional.of("does not start: " + Failures.rootOf(failure));
        }
        return Verdict.on(one, told);
    }
}
