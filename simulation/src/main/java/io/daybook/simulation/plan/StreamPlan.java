// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import io.daybook.metadata.model.Quorums;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.Compression;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.time.Duration;

/**
 * What happens with one stream: owners write it in turns, each taking it over from the one before, readers follow, somebody truncates.
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
        boolean isSealed) {
    private static final int PARTS = 13;

    /** The same with another number of appends. */
    public StreamPlan withAppends(int next) {
        return new StreamPlan(
                quorums,
                owners,
                next,
                inFlight,
                pauseMicros,
                payloadBytesMax,
                segmentBytes,
                mode,
                compression,
                truncations,
                isSealed);
    }

    /** What the stream is created with. */
    public StreamOptions options() {
        return StreamOptions.DEFAULT
                .withQuorums(quorums.ensembleSize(), quorums.writeQuorum(), quorums.ackQuorum())
                .withSegmentBounds(Duration.ZERO, segmentBytes)
                .withTransactionIdMode(mode)
                .withCompression(compression);
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that quotes the text when it is not one. */
    public static StreamPlan parse(String text) {
        String[] parts = text.trim().split("[ /]+", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a stream: E/Qw/Qa owners appends inFlight pauseMicros payloadBytesMax segmentBytes mode"
                    + " compression truncations sealed");
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
                Boolean.parseBoolean(parts[next]));
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    @Override
    public String toString() {
        return quorums + " " + owners + ' ' + appends + ' ' + inFlight + ' ' + pauseMicros + ' ' + payloadBytesMax + ' '
                + segmentBytes + ' ' + mode + ' ' + compression + ' ' + truncations + ' ' + isSealed;
    }
}
