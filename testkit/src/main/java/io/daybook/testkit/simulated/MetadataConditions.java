// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedScheduler.Kind;
import java.util.TreeSet;

/** How well the metadata store of a world works at present. Chances are in percent. */
public final class MetadataConditions {
    private static final long LATENCY_NANOS_MIN = 200_000;
    private static final long REQUEST_NANOS_MAX = 1_500_000_000L;
    private static final long LATE_NANOS_MAX = 300_000_000L;
    private static final int PERCENT = 100;

    private final SimulatedWorld world;
    private final SimulatedRandom random;
    private final TreeSet<String> cutOff = new TreeSet<>();
    private long latencyNanosMean = 500_000;
    private int unknownPercent;
    private int stalePercent;
    private int lostNoticePercent;
    private int incompletePercent;
    private boolean isOut;

    MetadataConditions(SimulatedWorld world) {
        this.world = world;
        this.random = world.random("metadata");
    }

    /** How long a request or an answer travels, about. */
    public void latency(long nanosMean) {
        latencyNanosMean = nanosMean;
    }

    /** How often nobody can say whether a change was made: it was, it was not, or it will be a little later. */
    public void unknown(int percent) {
        unknownPercent = percent;
    }

    /** How often a read that need not be fresh is answered with what the same session saw before. */
    public void stale(int percent) {
        stalePercent = percent;
    }

    /** How often a notice of a change never arrives. */
    public void lostNotices(int percent) {
        lostNoticePercent = percent;
    }

    /** How often a page of a listing is cut short, or the listing breaks off with an error. */
    public void incompleteListings(int percent) {
        incompletePercent = percent;
    }

    /** Nobody reaches the store until {@link #heal}. */
    public void outage() {
        isOut = true;
    }

    /** One machine does not reach the store until {@link #heal}. */
    public void cutOff(String machine) {
        cutOff.add(machine);
    }

    /** Ends every fault; latency stays. */
    public void heal() {
        isOut = false;
        cutOff.clear();
        unknownPercent = 0;
        stalePercent = 0;
        lostNoticePercent = 0;
        incompletePercent = 0;
    }

    boolean isReachableFrom(String machine) {
        return !isOut && !cutOff.contains(machine);
    }

    boolean drawsUnknown() {
        return draws(unknownPercent);
    }

    boolean drawsStale() {
        return draws(stalePercent);
    }

    boolean drawsLostNotice() {
        return draws(lostNoticePercent);
    }

    boolean drawsIncompleteListing() {
        return draws(incompletePercent);
    }

    private boolean draws(int percent) {
        return percent > 0 && random.nextBelow(PERCENT) < percent;
    }

    int drawBelow(int bound) {
        return (int) random.nextBelow(bound);
    }

    long drawLatencyNanos() {
        return LATENCY_NANOS_MIN + random.nextExponential(latencyNanosMean);
    }

    long drawLateNanos() {
        return random.nextBelow(LATE_NANOS_MAX);
    }

    /** After this time a request is given up. */
    long requestNanosMax() {
        return REQUEST_NANOS_MAX;
    }

    long nanoTime() {
        return world.scheduler().causalNanos();
    }

    void count(String situation) {
        world.faults().count(situation);
    }

    void at(long nanos, Runnable task) {
        world.scheduler().at(nanos, Kind.WORLD, null, 0, task);
    }
}
