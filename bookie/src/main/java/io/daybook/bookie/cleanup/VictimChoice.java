// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import io.daybook.bookie.index.LogTable.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Which logs the next new log replaces. */
final class VictimChoice {
    /** A new log holds what this many slabs flush: large enough that there are few, small enough to be copied in a few seconds. */
    static final int SLABS_OF_LOG = 4;

    /** So many logs of about the same small size are made into one. With fewer, entries would be copied more often. */
    static final int SMALL_LOGS = 8;

    private static final int SIZE_CLASS_BITS = 3;
    private static final long ROOM_BYTES_MAX = 1L << 30;

    private VictimChoice() {}

    /**
     * Chooses logs of which together at most a new log's bytes are alive: dead ones and those with little alive first, else small ones of one size.
     *
     * @param kept logs that must stay
     * @param livePercentMax share up to which a log is worth copying
     */
    static List<Integer> choose(List<Share> shares, Set<Integer> kept, int livePercentMax, int slabBytes) {
        List<Share> free =
                shares.stream().filter(share -> !kept.contains(share.logId())).toList();
        long room = roomBytes(slabBytes);
        List<Share> sparse = free.stream()
                .filter(share -> share.bytes() > 0 && share.livePercent() <= livePercentMax)
                .filter(share -> share.liveBytes() < share.bytes())
                .sorted(Comparator.comparingLong(Share::liveBytes))
                .toList();
        List<Integer> chosen = takeWhileRoom(sparse, room);
        return chosen.isEmpty() ? small(free, room) : chosen;
    }

    /** Bytes of entries that a new log takes. Positions in a log have 32 bits. */
    static long roomBytes(int slabBytes) {
        return Math.min((long) SLABS_OF_LOG * slabBytes, ROOM_BYTES_MAX);
    }

    private static List<Integer> takeWhileRoom(List<Share> shares, long room) {
        List<Integer> taken = new ArrayList<>();
        long bytes = 0;
        for (Share share : shares) {
            bytes += share.liveBytes();
            if (!taken.isEmpty() && bytes > room) {
                break;
            }
            taken.add(share.logId());
        }
        return taken;
    }

    /** The smallest class of sizes, each eight times the one before, that has enough logs: so an entry is copied once a class. */
    private static List<Integer> small(List<Share> shares, long room) {
        int classes = sizeClass(room / SMALL_LOGS);
        for (int size = 0; size <= classes; size++) {
            int wanted = size;
            List<Share> same = shares.stream()
                    .filter(share -> share.bytes() <= room / SMALL_LOGS && sizeClass(share.bytes()) == wanted)
                    .toList();
            if (same.size() >= SMALL_LOGS) {
                return takeWhileRoom(same, room);
            }
        }
        return List.of();
    }

    private static int sizeClass(long bytes) {
        return (Long.SIZE - Long.numberOfLeadingZeros(bytes)) / SIZE_CLASS_BITS;
    }
}
