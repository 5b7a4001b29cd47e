// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * What one run does. The same plan gives the same run.
 *
 * @param seed from which everything else is drawn that chance decides
 * @param bookies how many bookies there are
 * @param recoverers how many clients recover ledgers
 * @param lanes what writers do; each lane has a reader that follows it
 * @param faultsMicros how long faults may happen
 * @param faults what goes wrong
 */
public record Plan(
        long seed,
        int bookies,
        int recoverers,
        Knobs knobs,
        List<LanePlan> lanes,
        long faultsMicros,
        List<FaultItem> faults) {
    /** Copies the lists. */
    public Plan {
        lanes = List.copyOf(lanes);
        faults = List.copyOf(faults);
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
            int metadataMicros) {
        /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
        public static Knobs parse(String text) {
            String[] parts = text.trim().split(" +", -1);
            if (parts.length != 10) {
                throw new IllegalArgumentException("'" + text + "' does not hold 10 knobs");
            }
            int[] knob = new int[parts.length];
            for (int i = 0; i < knob.length; i++) {
                knob[i] = Integer.parseInt(parts[i]);
            }
            return new Knobs(knob[0], knob[1], knob[2], knob[3], knob[4], knob[5], knob[6], knob[7], knob[8], knob[9]);
        }

        @Override
        public String toString() {
            return slabBytes + " " + slabCount + ' ' + flushMillis + ' ' + commitBytesMax + ' ' + addMillis + ' '
                    + readMillis + ' ' + silenceMillis + ' ' + linkMicros + ' ' + syncMicros + ' ' + metadataMicros;
        }
    }

    /** The same run with other chance. */
    public Plan withSeed(long next) {
        return new Plan(next, bookies, recoverers, knobs, lanes, faultsMicros, faults);
    }

    /** The same run with other faults. */
    public Plan withFaults(List<FaultItem> next) {
        return new Plan(seed, bookies, recoverers, knobs, lanes, faultsMicros, next);
    }

    /** The same run with other lanes. */
    public Plan withLanes(List<LanePlan> next) {
        return new Plan(seed, bookies, recoverers, knobs, next, faultsMicros, faults);
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that quotes a line that does not belong there. */
    public static Plan parse(String text) {
        List<LanePlan> lanes = new ArrayList<>();
        List<FaultItem> faults = new ArrayList<>();
        long[] numbers = new long[4];
        Knobs knobs = null;
        for (String line : text.split("\n", -1)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            String name = line.substring(0, Math.max(0, equals)).trim();
            String value = line.substring(equals + 1).trim();
            switch (name) {
                case "seed" -> numbers[0] = Long.parseLong(value);
                case "bookies" -> numbers[1] = Long.parseLong(value);
                case "recoverers" -> numbers[2] = Long.parseLong(value);
                case "faultsMicros" -> numbers[3] = Long.parseLong(value);
                case "knobs" -> knobs = Knobs.parse(value);
                case "lane" -> lanes.add(LanePlan.parse(value));
                case "fault" -> faults.add(FaultItem.parse(value));
                default -> throw new IllegalArgumentException("'" + line + "' does not belong into a plan");
            }
        }
        if (knobs == null) {
            throw new IllegalArgumentException("a plan needs knobs");
        }
        return new Plan(numbers[0], (int) numbers[1], (int) numbers[2], knobs, lanes, numbers[3], faults);
    }

    /** One setting, lane or fault a line; {@link #parse} reads it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("seed = ").append(seed).append('\n');
        text.append("bookies = ").append(bookies).append('\n');
        text.append("recoverers = ").append(recoverers).append('\n');
        text.append("knobs = ").append(knobs).append('\n');
        lanes.forEach(lane -> text.append("lane = ").append(lane).append('\n'));
        text.append("faultsMicros = ").append(faultsMicros).append('\n');
        faults.forEach(fault -> text.append("fault = ").append(fault).append('\n'));
        return text.toString();
    }
}
