// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What one run does. The same plan gives the same run.
 *
 * @param seed from which everything else is drawn that chance decides
 * @param bookies how many bookies there are
 * @param recoverers how many clients recover ledgers
 * @param habits what all of them do beside their work
 * @param lanes what writers of ledgers do; each lane has a reader that follows it
 * @param streams what happens with streams
 * @param spread in which racks the bookies are
 * @param faultsMicros how long faults may happen
 * @param faults what goes wrong
 */
public record Plan(
        long seed,
        int bookies,
        int recoverers,
        Knobs knobs,
        Habits habits,
        List<LanePlan> lanes,
        List<StreamPlan> streams,
        Spread spread,
        long faultsMicros,
        List<FaultItem> faults) {
    /** Copies the lists. */
    public Plan {
        lanes = List.copyOf(lanes);
        streams = List.copyOf(streams);
        faults = List.copyOf(faults);
    }

    /**
     * What is so for a whole run.
     *
     * @param priorities how unfairly turns are given
     * @param operations what clients do beside writing, in the order of {@link Operation}
     * @param isBeyondBudget whether more copies may be damaged than Daybook promises to survive: then it must fail honestly
     */
    public record Habits(Priorities priorities, List<Operation> operations, boolean isBeyondBudget) {
        /** Fair, nothing beside writing, within the budget. */
        public static final Habits PLAIN = new Habits(Priorities.FAIR, List.of(), false);

        /** Orders the operations. */
        public Habits {
            operations = List.copyOf(new TreeSet<>(operations));
        }

        /** With other operations. */
        public Habits with(Collection<Operation> next) {
            return new Habits(priorities, List.copyOf(next), isBeyondBudget);
        }

        /** With other priorities. */
        public Habits with(Priorities next) {
            return new Habits(next, operations, isBeyondBudget);
        }
    }

    /**
     * Sizes and times, small and odd.
     *
     * @param slabBytes of a bookie's slabs and journal files
     * @param slabCount of a bookie
     * @param flushMillis after which a bookie flushes a slab that is not full
     * @param commitBytesMax of a bookie's journal
     * @param addMillis the client's time-out of appends
     * @param readMillis the client's time-out of reads
     * @param silenceMillis the client's patience with a silent bookie
     * @param linkMicros mean latency of the network
     * @param syncMicros of a disk
     * @param metadataMicros mean latency of the metadata store
     * @param publishMicros how long an idle writer waits before it publishes what is confirmed
     * @param cleanupMillis how often a bookie looks for what it can give up; 0 for as seldom as in production
     * @param dataDirectories of each bookie; 0 is 1
     * @param scrubMillis how often a bookie looks for damage; 0 for never
     * @param writerKibibytes what one writer may have under way; 0 for as much as in production
     * @param clientKibibytes what all writers of a client may have under way; 0 for as much as in production
     * @param journalDirectories of each bookie; 0 is 1
     */
    public record Knobs(
            int slabBytes,
            int slabCount,
            int flushMillis,
            int commitBytesMax,
            int addMillis,
            int readMillis,
            int silenceMillis,
            int linkMicros,
            int syncMicros,
            int metadataMicros,
            int publishMicros,
            int cleanupMillis,
            int dataDirectories,
            int scrubMillis,
            int writerKibibytes,
            int clientKibibytes,
            int journalDirectories) {
        private static final int COUNT_MIN = 10;
        private static final int COUNT = 17;

        /** Whether what clients hold is bounded so closely that their writers must wait for room. */
        public boolean isMemoryScarce() {
            return writerKibibytes > 0 || clientKibibytes > 0;
        }

        /** Reads the text form, of which the last numbers may be missing; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
        public static Knobs parse(String text) {
            String[] parts = text.trim().split(" +", -1);
            if (parts.length < COUNT_MIN || parts.length > COUNT) {
                throw new IllegalArgumentException("'" + text + "' does not hold " + COUNT + " knobs");
            }
            int[] knob = new int[COUNT];
            for (int i = 0; i < parts.length; i++) {
                knob[i] = Integer.parseInt(parts[i]);
            }
            return new Knobs(
                    knob[0], knob[1], knob[2], knob[3], knob[4], knob[5], knob[6], knob[7], knob[8], knob[9], knob[10],
                    knob[11], knob[12], knob[13], knob[14], knob[15], knob[16]);
        }

        /** With so many directories of each bookie. */
        public Knobs withDirectories(int data, int journals) {
            return new Knobs(
                    slabBytes,
                    slabCount,
                    flushMillis,
                    commitBytesMax,
                    addMillis,
                    readMillis,
                    silenceMillis,
                    linkMicros,
                    syncMicros,
                    metadataMicros,
                    publishMicros,
                    cleanupMillis,
                    data,
                    scrubMillis,
                    writerKibibytes,
                    clientKibibytes,
                    journals);
        }

        @Override
        public String toString() {
            return slabBytes + " " + slabCount + ' ' + flushMillis + ' ' + commitBytesMax + ' ' + addMillis + ' '
                    + readMillis + ' ' + silenceMillis + ' ' + linkMicros + ' ' + syncMicros + ' ' + metadataMicros
                    + ' ' + publishMicros + ' ' + cleanupMillis + ' ' + dataDirectories + ' ' + scrubMillis + ' '
                    + writerKibibytes + ' ' + clientKibibytes + ' ' + journalDirectories;
        }
    }

    /** The same run with other chance. */
    public Plan withSeed(long next) {
        return new Plan(next, bookies, recoverers, knobs, habits, lanes, streams, spread, faultsMicros, faults);
    }

    /** The same run with other habits. */
    public Plan withHabits(Habits next) {
        return new Plan(seed, bookies, recoverers, knobs, next, lanes, streams, spread, faultsMicros, faults);
    }

    /** The same run with other faults. */
    public Plan withFaults(List<FaultItem> next) {
        return new Plan(seed, bookies, recoverers, knobs, habits, lanes, streams, spread, faultsMicros, next);
    }

    /** The same run with other lanes. */
    public Plan withLanes(List<LanePlan> next) {
        return new Plan(seed, bookies, recoverers, knobs, habits, next, streams, spread, faultsMicros, faults);
    }

    /** The same run with other streams. */
    public Plan withStreams(List<StreamPlan> next) {
        return new Plan(seed, bookies, recoverers, knobs, habits, lanes, next, spread, faultsMicros, faults);
    }

    /** Whether a fault of that kind is among its faults. */
    public boolean has(FaultKind kind) {
        return faults.stream().anyMatch(fault -> fault.kind() == kind);
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that names the line and says what is wrong with it, or what the plan lacks. */
    public static Plan parse(String text) {
        return PlanText.parse(text);
    }

    /** One setting, lane or fault a line; {@link #parse} reads it. */
    @Override
    public String toString() {
        return PlanText.write(this);
    }
}
