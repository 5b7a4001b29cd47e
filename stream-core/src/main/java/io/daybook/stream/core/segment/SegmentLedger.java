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
 * @param stream the name that it had then
 * @param identity of the stream, whatever its name
 * @param epoch of the writer that made it
 */
public record SegmentLedger(long ledgerId, String stream, WriteToken identity, long epoch) {
    private static final String STREAM = "daybook.stream";
    /** The incarnation with which the stream was made is its identity. */
    private static final String IDENTITY = "daybook.stream-incarnation";

    private static final String EPOCH = "daybook.stream-epoch";
    private static final int DIGITS = 16;
    private static final int HEX = 16;

    /** What a ledger made for a stream keeps. */
    static Map<String, String> texts(StreamMetadata head, long epoch) {
        Map<String, String> texts = new TreeMap<>();
        texts.put(STREAM, head.name());
        texts.put(IDENTITY, head.identity().hex());
        texts.put(EPOCH, Long.toString(epoch));
        return texts;
    }

    /** What a ledger's texts say; empty when it was not made for a stream. */
    public static Optional<SegmentLedger> of(long ledgerId, Map<String, String> texts) {
        String stream = texts.get(STREAM);
        String identity = texts.get(IDENTITY);
        String epoch = texts.get(EPOCH);
        if (stream == null || identity == null || epoch == null || identity.length() != 2 * DIGITS) {
            return Optional.empty();
        }
        try {
            WriteToken token = new WriteToken(
                    Long.parseUnsignedLong(identity, 0, DIGITS, HEX),
                    Long.parseUnsignedLong(identity, DIGITS, 2 * DIGITS, HEX));
            return Optional.of(new SegmentLedger(ledgerId, stream, token, Long.parseLong(epoch)));
        } catch (NumberFormatException foreign) {
            return Optional.empty();
        }
    }
}
