// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.Faults;
import io.daybook.runtime.simulated.events.SimulatedProcess;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The defects planted in a world, the situations it has reached, and the situations at which a machine is to crash. */
public final class PlannedFaults {
    private record CrashPoint(String machine, String situation) {}

    private final TreeSet<String> planted = new TreeSet<>();
    private final TreeMap<String, Long> reached = new TreeMap<>();
    private final Map<CrashPoint, Long> crashPoints = new HashMap<>();

    /** Plants the defect named {@code point} in every process. */
    public void plant(String point) {
        planted.add(point);
    }

    /** Takes a planted defect out. */
    public void remove(String point) {
        planted.remove(point);
    }

    /** Crashes a machine inside the call that reports a situation for the {@code nth} time from now (1 is the next). */
    public void crashAt(String machine, String situation, long nth) {
        crashPoints.put(new CrashPoint(machine, situation), nth);
    }

    /** How often each situation was reached. */
    public SortedMap<String, Long> reached() {
        return Collections.unmodifiableSortedMap(reached);
    }

    /** Counts a situation that is seen from outside all processes. */
    public void count(String situation) {
        reached.merge(situation, 1L, Long::sum);
    }

    Faults of(SimulatedProcess process) {
        return new Faults() {
            @Override
            public boolean at(String point) {
                return planted.contains(point);
            }

            @Override
            public void reached(String situation) {
                reached.merge(situation, 1L, Long::sum);
                if (!crashPoints.isEmpty()) {
                    crashIfPlanned(process, new CrashPoint(process.machine(), situation));
                }
            }
        };
    }

    private void crashIfPlanned(SimulatedProcess process, CrashPoint point) {
        @Nullable Long left = crashPoints.get(point);
        if (left == null || !process.isAlive()) {
            return;
        }
        if (left > 1) {
            crashPoints.put(point, left - 1);
            return;
        }
        crashPoints.remove(point);
        process.crash();
    }
}
