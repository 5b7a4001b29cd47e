// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.time.Duration;

/**
 * What happens with one stream: owners write it in turns, each taking it over from the one before, readers follow, somebody truncates. When somebody deletes it, whoever
 * comes next makes it again and goes on. It may get other names, and be deleted under any of these.
 *
 * @param owners how many programs write it
 * @param appends how many appends each of them makes
 * @param inFlight how many appends an owner has under way at once, at most
 * @param pauseMicros how long it waits after each burst of them
 * @param payloadBytesMax bytes of the largest payload
 * @param segmentBytes of payload after which a segment is full
 * @param mode what is demanded of transaction ids
 * @param compression of record batches
 * @param truncations how many truncations are tried
 * @param isSealed whether the last owner seals it
 * @param deletions how many deletions are tried
 * @param subscribers how many programs read it by subscriptions
 * @param renames how many times somebody tries to give it another name
 * @param ways what else is done with it
 */
public record StreamPlan(
        Quorums quorums,
        int owners,
        int appends,
        int inFlight,
        long pauseMicros,
        int payloadBytesMax,
        long segmentBytes,
        TransactionIdMode mode,
        Compression compression,
        int truncations,
        boolean isSealed,
        int deletions,
        int subscribers,
        int renames,
        StreamWays ways) {
    private static final int PARTS_MIN = 13;
    private static final int PARTS = 16 + StreamWays.PARTS;

    /** What the stream is created with. */
    public StreamOptions options() {
        return StreamOptions.DEFAULT
                .withQuorums(quorums.ensembleSize(), quorums.writeQuorum(), quorums.ackQuorum())
                .withSegmentBounds(Duration.ofMillis(ways.segmentMillis()), segmentBytes)
                .withRetention(Duration.ofMillis(ways.retentionMillis()), ways.retentionBytes())
                .withTransactionIdMode(mode)
                .withCompression(compression);
    }

    /** Reads the text form, of which the last numbers, from that of the deletions on, may be missing; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static StreamPlan parse(String text) {
        String[] parts = text.trim().split("[ /]+", -1);
        if (parts.length < PARTS_MIN || parts.length > PARTS) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not a stream: E/Qw/Qa owners appends inFlight pauseMicros payloadBytesMax segmentBytes mode"
                            + " compression truncations sealed deletions subscribers renames seeks flushes segmentMillis retentionMillis retentionBytes changes");
        }
        int next = 0;
        return new StreamPlan(
                new Quorums(number(parts[next++]), number(parts[next++]), number(parts[next++])),
                number(parts[next++]),
                number(parts[next++]),
                number(parts[next++]),
                Long.parseLong(parts[next++]),
                number(parts[next++]),
                Long.parseLong(parts[next++]),
                TransactionIdMode.valueOf(parts[next++]),
                Compression.valueOf(parts[next++]),
                number(parts[next++]),
                Boolean.parseBoolean(parts[next++]),
                numberOrNone(parts, next++),
                numberOrNone(parts, next++),
                numberOrNone(parts, next++),
                StreamWays.parse(parts, next));
    }

    private static int numberOrNone(String[] parts, int place) {
        return place < parts.length ? number(parts[place]) : 0;
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    @Override
    public String toString() {
        return quorums + " " + owners + ' ' + appends + ' ' + inFlight + ' ' + pauseMicros + ' ' + payloadBytesMax + ' '
                + segmentBytes + ' ' + mode + ' ' + compression + ' ' + truncations + ' ' + isSealed + ' ' + deletions
                + ' ' + subscribers + ' ' + renames + ' ' + ways;
    }
}
