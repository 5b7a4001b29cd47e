// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

/** Situations of bookies and of the metadata store that are seen from outside and that runs should reach. */
public final class BookieSituations {
    /** A bookie was ended from outside while it started: inside its replay, or just before or after it. */
    public static final String ENDED_WHILE_STARTING = "bookie-ended-while-starting";
    /** A bookie whose stored bytes had rotted refused to start and was replaced. */
    public static final String ROTTEN_REFUSES = "bookie-refuses-rotten-disk";
    /** A bookie one of whose data directories was empty refused to start and was replaced. */
    public static final String LACKING_REFUSES = "bookie-refuses-empty-directory";
    /** A running bookie found by itself that stored bytes had rotted. */
    public static final String ROT_FOUND = "bookie-finds-rot";
    /** A change of metadata took effect and nobody was told. */
    public static final String UNKNOWN_TOOK_EFFECT = "unknown-change-took-effect";
    /** A change of metadata of which nobody was told came late, after its caller had been answered. */
    public static final String UNKNOWN_CAME_LATE = "unknown-change-came-late";
    /** A bookie that had lost files of its journal was told to go on without them. */
    public static final String DAMAGE_ACCEPTED = "bookie-goes-on-without-journal";
    /** A listing of the metadata store was cut short or broken off. */
    public static final String LISTING_INCOMPLETE = "listing-incomplete";

    /** The session of a process with the metadata store ended while the process lived on. */
    public static final String SESSION_EXPIRED = "metadata-session-expired";
    /** All faults ended, and of the bookies as many stayed away as may. */
    public static final String LEFT_BEHIND = "bookie-left-behind";

    /** A running bookie found by itself that it could not read a file. */
    public static final String READ_ERROR_FOUND = "bookie-finds-read-error";
    /** A bookie gave up the space that it keeps back. */
    public static final String RESERVE_GIVEN_UP = "bookie-reserve-given-up";
    /** A bookie had lost an index file, and has made it again. */
    public static final String INDEX_MADE_AGAIN = "bookie-index-made-again";

    private BookieSituations() {}
}
