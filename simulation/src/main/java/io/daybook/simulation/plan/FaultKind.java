// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What can go wrong, and what the target and parameter of such a fault are. */
public enum FaultKind {
    /** A bookie loses power for a while. */
    CRASH_BOOKIE,
    /** The process of a bookie is killed; its machine keeps what was written. */
    KILL_BOOKIE,
    /** A bookie loses power inside its disk operation number {@code parameter} from then on. */
    CRASH_IN_OPERATION,
    /** A bookie stands still for a while. */
    PAUSE_BOOKIE,
    /** A bookie and all it holds are lost for ever. */
    DESTROY_BOOKIE,
    /** Everything loses power at once: all bookies and all clients. */
    BLACKOUT,
    /** The machine of a lane's writer loses power. */
    CRASH_WRITER,
    /** A writer stands still for a while. */
    PAUSE_WRITER,
    /** A recoverer loses power. */
    CRASH_RECOVERER,
    /** A recoverer stands still for a while. */
    PAUSE_RECOVERER,
    /** Recoverer {@code parameter} recovers the ledger that a lane is writing. */
    RECOVER,
    /** All links between a client ({@code parameter}) and a bookie are reset. */
    RESET,
    /** What a client ({@code parameter}) sends to a bookie is held up for a while. */
    CLOG_TO_BOOKIE,
    /** What a bookie sends to a client ({@code parameter}) is held up for a while. */
    CLOG_FROM_BOOKIE,
    /** A bookie is cut off from all clients for a while; links are reset when {@code parameter} is odd. */
    ISOLATE_BOOKIE,
    /** A client is cut off from all bookies for a while; links are reset when {@code parameter} is odd. */
    ISOLATE_CLIENT,
    /** Links from a client ({@code parameter}) to a bookie fall silent in one direction. */
    HALF_OPEN,
    /** The links of a bookie are slow for a while: {@code parameter} milliseconds. */
    SLOW_LINKS,
    /** What a client and a bookie send each other is slow for a while: the parameter is the client plus 256 times the latency in microseconds. */
    SLOW_PAIR,
    /** The disks of a bookie are {@code parameter} times slower for a while. */
    SLOW_DISK,
    /** The disks of a bookie do not answer for a while. */
    STALL_DISK,
    /** No commit of one of a bookie's journals completes for a while. */
    STUCK_COMMITS,
    /** The next commit of one of a bookie's journals fails. */
    FAIL_COMMIT,
    /** The next sync of a bookie's data fails. */
    FAIL_SYNC,
    /** The clock of a bookie or client runs at {@code parameter} percent of its rate for a while. */
    CLOCK_RATE,
    /** The metadata store is out of reach for a while. */
    METADATA_OUTAGE,
    /** A client ({@code parameter}) does not reach the metadata store for a while. */
    METADATA_CUT,
    /** Of {@code parameter} percent of metadata changes the outcome is unknown for a while. */
    METADATA_UNKNOWN,
    /** {@code parameter} percent of notices get lost and of reads are stale for a while. */
    METADATA_STALE,
    /** A bookie is stopped in an orderly way for a while. */
    STOP_BOOKIE,
    /** A bookie is killed, and started after a while with other slabs and flush age ({@code parameter}). */
    RESTART_BOOKIE,
    /** A bookie and all it holds are lost; after a while its empty disks are formatted, and another bookie lives there. */
    REPLACE_BOOKIE,
    /** A stored byte of a bookie's data disk rots; {@code parameter} chooses which. */
    ROT,
    /** The data disk of a bookie and that of bookie {@code parameter} are in each other's place for a while (journal and data disk, when it is the same). */
    MIX_UP_DISKS,
    /** The data disk of a bookie has room for {@code parameter} more bytes only for a while. */
    FILL_DISK,
    /** Any client ({@code parameter}), readers too, loses power for a while. */
    CRASH_CLIENT,
    /** The next write to a bookie's data disk fails. */
    FAIL_WRITE,
    /** A bookie loses one of its data directories, which {@code parameter} chooses, and is started with an empty one in its place after a while. */
    LOSE_DIRECTORY,
    /** A bookie is killed, and an entry log of it, an index file or both are lost; {@code parameter} chooses. It is started after a while. */
    LOSE_LOG,
    /** A bookie is killed, and files of its journal are lost; {@code parameter} chooses. It is started after a while, and told to go on without them. */
    LOSE_JOURNAL,
    /** {@code parameter} percent of the pages of listings are cut short, or the listing breaks off, for a while. */
    METADATA_LISTINGS,
    /**
     * The session of a process with the metadata store ends while the process lives on, and there is another one after a while. The target is a bookie, or the number of bookies plus that of
     * any client.
     */
    EXPIRE_SESSION,
    /** A bookie does not reach the metadata store for a while; after some time its session ends. */
    METADATA_CUT_BOOKIE,
    /** Any client ({@code parameter}), readers too, does not reach the metadata store for a while; after some time its session ends. */
    METADATA_CUT_CLIENT,
    /** When all faults have ended a bookie is lost for ever, and all it holds. */
    LEAVE_BEHIND,
    /** The next read of a bookie's data disk fails. */
    FAIL_READ,
    /** What goes to a bookie goes through at {@code parameter} bytes a second for a while. */
    NARROW_LINKS;

    /** Drawn from chance of their own: whatever is drawn of them, the rest of a plan is the same. */
    static final Set<FaultKind> DRAWN_APART = Collections.unmodifiableSet(EnumSet.range(EXPIRE_SESSION, NARROW_LINKS));

    /** Whether copies of entries may be lost for ever by it, which the budget of a plan bounds. */
    public boolean isDamage() {
        return this == DESTROY_BOOKIE
                || this == REPLACE_BOOKIE
                || this == ROT
                || this == LOSE_LOG
                || this == LOSE_DIRECTORY
                || this == LEAVE_BEHIND
                || this == LOSE_JOURNAL;
    }
}
