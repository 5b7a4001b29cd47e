// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

/**
 * The fault points of streams: each re-plants a known defect of systems of this kind (D19, D22 and D23 in docs/INVARIANTS.md), so that the simulation can prove that
 * it finds it.
 */
public final class StreamDefects {
    /** The head's last transaction id runs ahead of the data when a segment stayed empty, which bars the next writer's ids. */
    public static final String LAST_ID_AHEAD = "D19-last-id-ahead";
    /** A take-over does not recover the segments before it: it takes them to end where their readers are allowed to read. */
    public static final String OLD_SEGMENTS_NOT_RECOVERED = "D19-old-segments-not-recovered";
    /** After a failed entry the records in it are told to be surely absent. */
    public static final String FAILED_ENTRY_MISREPORTED = "D19-failed-entry-misreported";

    /** A reader that hands over to the next segment while it knows of a further one moves on twice. */
    public static final String SEGMENT_SKIPPED = "D19-segment-skipped";

    /** A deletion clears the numbers of the head before it removes it, so that the next stream of the name begins among them. */
    public static final String NUMBERS_FORGOTTEN = "D22-numbers-forgotten";

    /** A deletion takes whatever segments it finds under the name for those of the stream that it marked. */
    public static final String DELETED_BY_NAME = "D22-deleted-by-name";

    /** Whoever is told the new name of a stream is told that its positions are what they were. */
    public static final String SHIFT_FORGOTTEN = "D23-shift-forgotten";

    /** Whoever finds its stream under the name takes that for proof that it never left it. */
    public static final String RETURN_UNNOTICED = "D23-return-unnoticed";

    private StreamDefects() {}
}
