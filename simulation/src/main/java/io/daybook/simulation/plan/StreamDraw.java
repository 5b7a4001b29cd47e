// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.util.ArrayList;
import java.util.List;

/** Draws what happens with streams: in half of the plans nothing. */
final class StreamDraw {
    private static final int APPENDS_MAX = 400;
    private static final int DELETED_ONE_IN = 3;
    private static final int DELETIONS_MAX = 6;
    private static final int RENAMED_ONE_IN = 3;
    private static final int RENAMES_MAX = 6;
    private static final int BOTH_ONE_IN = 5;
    /** More, since a deletion ends what renames were under way to. */
    private static final int RENAMES_OF_BOTH_MAX = 12;

    private static final int CHANGES_MAX = 6;
    private static final List<Compression> COMPRESSIONS = List.of(Compression.NONE, Compression.LZ4, Compression.ZSTD);

    private final SimulatedRandom random;
    /** Apart, so that the rest of a plan does not depend on what is drawn of it. */
    private final SimulatedRandom lives;

    private final SimulatedRandom names;
    private final SimulatedRandom ways;
    private final SimulatedRandom fates;

    private final int ensembleMax;
    private final int ackQuorumMin;
    private final long faultsMicros;

    /** {@code damaged} of the bookies lose what they have: streams keep more copies than that, and find enough other bookies. */
    StreamDraw(long seed, int bookies, int damaged, long faultsMicros) {
        this.random = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("streams"));
        this.lives = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("lives of streams"));
        this.names = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("names of streams"));
        this.ways = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("ways of streams"));
        this.fates = new SimulatedRandom(seed, Stream.WORLD, SimulatedRandom.entityOf("fates of streams"));
        this.ensembleMax = bookies - damaged;
        this.ackQuorumMin = damaged + 1;
        this.faultsMicros = faultsMicros;
    }

    List<StreamPlan> draw(Knobs knobs) {
        List<StreamPlan> streams = new ArrayList<>();
        int count = ackQuorumMin > ensembleMax ? 0 : below(2) * (1 + below(2));
        for (int i = 0; i < count; i++) {
            streams.add(drawStream(knobs));
        }
        return streams;
    }

    private StreamPlan drawStream(Knobs knobs) {
        int inFlight = oneOf(1, 4, 20);
        int appends = oneOf(10, 50, 200);
        int owners = 1 + below(3);
        // All appends together last about as long as faults may happen.
        long pauseMicros = Math.max(1, faultsMicros * inFlight / appends);
        if (below(3) == 0) {
            appends = APPENDS_MAX;
            pauseMicros = below(2) * faultsMicros / APPENDS_MAX;
        }
        int deletions = lives.nextBelow(DELETED_ONE_IN) == 0 ? 1 + (int) lives.nextBelow(DELETIONS_MAX) : 0;
        int renames = names.nextBelow(RENAMED_ONE_IN) == 0 ? 1 + (int) names.nextBelow(RENAMES_MAX) : 0;
        renames = deletions == 0 ? renames : 0;
        if (fates.nextBelow(BOTH_ONE_IN) == 0) {
            deletions = 1 + (int) fates.nextBelow(DELETIONS_MAX);
            renames = 1 + (int) fates.nextBelow(RENAMES_OF_BOTH_MAX);
        }
        int payloadBytesMax = Math.min(oneOf(1, 100, 1000), knobs.slabBytes() / 8);
        return new StreamPlan(
                drawQuorums(),
                owners,
                appends,
                inFlight,
                pauseMicros,
                payloadBytesMax,
                oneOf(100, 1000, 10_000, 1_000_000),
                below(2) == 0 ? TransactionIdMode.STRICT : TransactionIdMode.NON_DECREASING,
                COMPRESSIONS.get(below(COMPRESSIONS.size())),
                below(2) * below(8),
                below(3) == 0,
                deletions,
                (int) lives.nextBelow(2),
                renames,
                drawWays());
    }

    private StreamWays drawWays() {
        int millis = (int) Math.min(Integer.MAX_VALUE, faultsMicros / 1000);
        return new StreamWays(
                (int) ways.nextBelow(2),
                (int) ways.nextBelow(2),
                ways.nextBelow(3) == 0 ? 1 + millis / (5 + (int) ways.nextBelow(40)) : 0,
                ways.nextBelow(4) == 0 ? 1 + millis / (2 + (int) ways.nextBelow(10)) : 0,
                ways.nextBelow(4) == 0 ? 1 + ways.nextBelow(20_000) : 0,
                ways.nextBelow(3) == 0 ? 1 + (int) ways.nextBelow(CHANGES_MAX) : 0);
    }

    private Quorums drawQuorums() {
        int ensemble = Math.min(Math.max(ackQuorumMin, 2 + below(2)), ensembleMax);
        int write = Math.max(ackQuorumMin, ensemble - below(2) * below(2));
        return new Quorums(ensemble, write, ackQuorumMin + below(write - ackQuorumMin + 1));
    }

    private int below(int bound) {
        return (int) random.nextBelow(bound);
    }

    private int oneOf(int... choices) {
        return choices[below(choices.length)];
    }
}
