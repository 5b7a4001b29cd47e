// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

/**
 * The position of a record in its stream: segment number (1 or more), entry in the segment's ledger (0 or more), slot in the entry (0 or more).
 * Positions are totally ordered and a later record has a greater one. The text form is {@code segment:entry:slot}.
 *
 * <p>A position means one record for ever: a stream that is made under the name of a deleted one begins with a greater segment number than that one had, and refuses
 * positions below with {@link StreamException.ForeignPosition}.
 *
 * @param segment number of the segment, 1 or more for a record
 * @param entry in the segment's ledger, 0 or more
 * @param slot in the entry, 0 or more
 */
public record DLSN(long segment, long entry, int slot) implements Comparable<DLSN> {
    /** Before every record. */
    public static final DLSN BEFORE_ALL = new DLSN(0, 0, 0);

    /**
     * Refuses negative numbers.
     *
     * @param segment number of the segment, 1 or more for a record
     * @param entry in the segment's ledger, 0 or more
     * @param slot in the entry, 0 or more
     * @throws IllegalArgumentException for a negative number
     */
    public DLSN {
        if (segment < 0 || entry < 0 || slot < 0) {
            throw new IllegalArgumentException("a DLSN has no negative parts: " + segment + ":" + entry + ":" + slot);
        }
    }

    /**
     * Reads the text form.
     *
     * @param text as {@link #toString} writes it
     * @return the position
     * @throws IllegalArgumentException that names the text when it is not one
     */
    public static DLSN parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 3) {
                return new DLSN(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
            }
        } catch (NumberFormatException notNumbers) {
            throw malformed(text);
        }
        throw malformed(text);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("'" + text + "' is not a DLSN (segment:entry:slot, such as 1:42:0)");
    }

    @Override
    public int compareTo(DLSN other) {
        int bySegment = Long.compare(segment, other.segment);
        if (bySegment != 0) {
            return bySegment;
        }
        int byEntry = Long.compare(entry, other.entry);
        return byEntry != 0 ? byEntry : Integer.compare(slot, other.slot);
    }

    @Override
    public String toString() {
        return segment + ":" + entry + ":" + slot;
    }
}
