// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one writer does: it writes one ledger after the other.
 *
 * @param sessions how many ledgers it tries to write
 * @param appends how many entries go into each
 * @param inFlight how many appends it has under way at once, at most
 * @param pauseMicros how long it waits after each burst of them
 * @param payloadBytesMax bytes of the largest payload
 * @param process which process of writers it runs in: lanes with the same number share a client; -1 for one of its own
 * @param forceEvery after how many appends it forces, of ledgers whose sync is deferred; 0 for ledgers of the usual kind
 * @param idBase the id of its first ledger, one more for each further one; -1 when the cluster gives them
 * @param traits what is unusual about its ledgers, in the order of {@link Trait}
 */
public record LanePlan(
        Quorums quorums,
        int sessions,
        int appends,
        int inFlight,
        long pauseMicros,
        int payloadBytesMax,
        int process,
        int forceEvery,
        long idBase,
        List<Trait> traits) {
    /** What is unusual about ledgers. */
    public enum Trait {
        /** The writer gives the ids of the entries, in any order, some twice. */
        GIVEN_IDS,
        /** An acknowledgement waits for all copies. */
        WRITE_QUORUM,
        /** Entries are checked by an HMAC. */
        HMAC
    }

    /** Instead of the number of a process: nobody else is in it. */
    public static final int ALONE = -1;

    /** Instead of an id: the cluster gives it. */
    public static final long ANY_ID = -1;

    private static final int PARTS_MIN = 8;
    private static final int PARTS = 12;
    private static final String NO_TRAITS = "-";

    /** Orders the traits. */
    public LanePlan {
        traits = List.copyOf(new TreeSet<>(traits));
    }

    /** The same with ledgers of another kind. */
    public LanePlan with(int nextForceEvery, long nextIdBase, List<Trait> nextTraits) {
        return new LanePlan(
                quorums,
                sessions,
                appends,
                inFlight,
                pauseMicros,
                payloadBytesMax,
                process,
                nextForceEvery,
                nextIdBase,
                nextTraits);
    }

    /** The same with another number of ledgers. */
    public LanePlan withSessions(int next) {
        return new LanePlan(
                quorums, next, appends, inFlight, pauseMicros, payloadBytesMax, process, forceEvery, idBase, traits);
    }

    /** Whether its ledgers have that trait. */
    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Reads the text form, of which what follows the payload may be missing; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static LanePlan parse(String text) {
        String[] parts = text.trim().split("[ /]+", -1);
        if (parts.length < PARTS_MIN || parts.length > PARTS) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not a lane: E/Qw/Qa sessions appends inFlight pauseMicros payloadBytesMax process forceEvery idBase traits");
        }
        return new LanePlan(
                new Quorums(number(parts[0]), number(parts[1]), number(parts[2])),
                number(parts[3]),
                number(parts[4]),
                number(parts[5]),
                Long.parseLong(parts[6]),
                number(parts[7]),
                parts.length > 8 ? number(parts[8]) : ALONE,
                parts.length > 9 ? number(parts[9]) : 0,
                parts.length > 10 ? Long.parseLong(parts[10]) : ANY_ID,
                parts.length > 11 ? traits(parts[11]) : List.of());
    }

    private static List<Trait> traits(String text) {
        return text.equals(NO_TRAITS)
                ? List.of()
                : Stream.of(text.split(",", -1)).map(Trait::valueOf).toList();
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    @Override
    public String toString() {
        return quorums + " " + sessions + ' ' + appends + ' ' + inFlight + ' ' + pauseMicros + ' ' + payloadBytesMax
                + ' ' + process + ' ' + forceEvery + ' ' + idBase + ' '
                + (traits.isEmpty()
                        ? NO_TRAITS
                        : traits.stream().map(Trait::name).collect(Collectors.joining(",")));
    }
}
