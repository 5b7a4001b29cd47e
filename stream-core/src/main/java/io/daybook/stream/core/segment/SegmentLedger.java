// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * For which stream a ledger was made, as the ledger's own metadata tells.
 *
 * @param incarnation of the stream
 * @param epoch of the writer that made it
 */
public record SegmentLedger(long ledgerId, String stream, WriteToken incarnation, long epoch) {
    private static final String STREAM = "daybook.stream";
    private static final String INCARNATION = "daybook.stream-incarnation";
    private static final String EPOCH = "daybook.stream-epoch";
    private static final int DIGITS = 16;
    private static final int HEX = 16;

    /** What a ledger made for a stream keeps. */
    static Map<String, String> texts(StreamMetadata head, long epoch) {
        Map<String, String> texts = new TreeMap<>();
        texts.put(STREAM, head.name());
        texts.put(
                INCARNATION,
                String.format(
                        "%016x%016x",
                        head.incarnation().high(), head.incarnation().low()));
        texts.put(EPOCH, Long.toString(epoch));
        return texts;
    }

    /** What a ledger's texts say; empty when it was not made for a stream. */
    public static Optional<SegmentLedger> of(long ledgerId, Map<String, String> texts) {
        String stream = texts.get(STREAM);
        String incarnation = texts.get(INCARNATION);
        String epoch = texts.get(EPOCH);
        if (stream == null || incarnation == null || epoch == null || incarnation.length() != 2 * DIGITS) {
            return Optional.empty();
        }
        try {
            WriteToken token = new WriteToken(
                    Long.parseUnsignedLong(incarnation, 0, DIGITS, HEX),
                    Long.parseUnsignedLong(incarnation, DIGITS, 2 * DIGITS, HEX));
            return Optional.of(new SegmentLedger(ledgerId, stream, token, Long.parseLong(epoch)));
        } catch (NumberFormatException foreign) {
            return Optional.empty();
        }
    }
}
