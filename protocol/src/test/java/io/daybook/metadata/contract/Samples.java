// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Values to store. */
public final class Samples {
    /** A cluster. */
    public static final ClusterId CLUSTER = new ClusterId(0x0123_4567_89ab_cdefL, -2L);

    private Samples() {}

    /** The bookie of a number. */
    public static BookieId bookie(int number) {
        return new BookieId(0xb00c_1e00_0000_0000L + number, 7L * number);
    }

    /** Of a process that knows of no predecessor, or only of these. */
    public static BookieRegistry.Tokens tokens(long own, long... predecessors) {
        return new BookieRegistry.Tokens(
                token(own), LongStream.of(predecessors).mapToObj(Samples::token).toList());
    }

    /** The token of a number. */
    public static WriteToken token(long number) {
        return new WriteToken(0x70c0_0000_0000_0000L, number);
    }

    /** An open ledger on bookies 1, 2, 3. */
    public static LedgerMetadata ledger(long ledgerId, long token) {
        return new LedgerMetadata(
                ledgerId,
                new Quorums(3, 2, 2),
                DigestType.CRC32C,
                LedgerState.OPEN,
                -1,
                0,
                List.of(new Fragment(0, List.of(bookie(1), bookie(2), bookie(3)))),
                Map.of("owner", "tests", "schlüssel\u0000\n", "wert \ud83d\ude00"),
                1_700_000_000_123L,
                token(token));
    }

    /** The head of a new stream. */
    public static StreamMetadata stream(String name, long token) {
        return new StreamMetadata(
                name,
                token(1_000_000 + token),
                StreamMetadata.Home.of(new WriteToken(name.hashCode(), token)),
                StreamMetadata.State.ACTIVE,
                new StreamSettings(
                        Quorums.DEFAULT,
                        DigestType.HMAC_SHA256,
                        StreamSettings.TransactionIdMode.STRICT,
                        60_000,
                        1L << 30,
                        3_600_000,
                        1L << 40,
                        StreamSettings.Compression.ZSTD),
                1,
                1,
                1,
                1,
                1,
                0,
                0,
                -1,
                "somebody",
                1_700_000_000_456L,
                token(token));
    }

    /** The head of a new stream as it was before streams could be renamed. */
    public static StreamMetadata streamBelowName(String name, long token) {
        StreamMetadata head = stream(name, token);
        return kept(head, StreamMetadata.Home.BELOW_NAME, head.settings());
    }

    /** The head of the same stream with another digest. */
    public static StreamMetadata withDigest(StreamMetadata head, DigestType digest) {
        StreamSettings settings = head.settings();
        return kept(
                head,
                head.home(),
                new StreamSettings(
                        settings.quorums(),
                        digest,
                        settings.transactionIdMode(),
                        settings.segmentMillisMax(),
                        settings.segmentBytesMax(),
                        settings.retentionMillis(),
                        settings.retentionBytes(),
                        settings.compression()));
    }

    private static StreamMetadata kept(StreamMetadata head, StreamMetadata.Home home, StreamSettings settings) {
        return new StreamMetadata(
                head.name(),
                head.incarnation(),
                home,
                head.state(),
                settings,
                head.epoch(),
                head.originSegmentNumber(),
                head.firstSegmentNumber(),
                head.nextSegmentNumber(),
                head.truncatedSegment(),
                head.truncatedEntry(),
                head.truncatedSlot(),
                head.lastTransactionId(),
                head.owner(),
                head.createdMillis(),
                head.token());
    }

    /** The same stream as its next writer would store it. */
    public static StreamMetadata next(StreamMetadata head, long nextSegmentNumber, long token) {
        return new StreamMetadata(
                head.name(),
                head.incarnation(),
                head.home(),
                head.state(),
                head.settings(),
                head.epoch() + 1,
                head.originSegmentNumber(),
                head.firstSegmentNumber(),
                nextSegmentNumber,
                head.truncatedSegment(),
                head.truncatedEntry(),
                head.truncatedSlot(),
                head.lastTransactionId(),
                head.owner(),
                head.createdMillis(),
                token(token));
    }

    /** A segment that is being written, in a ledger of the same number. */
    public static SegmentMetadata segment(long number) {
        return new SegmentMetadata(
                number, number, SegmentMetadata.State.IN_PROGRESS, -1, -1, 0, 17, -1, -1, 3, 1_700_000_000_789L, 0, 0);
    }

    /** The same segment, completed. */
    public static SegmentMetadata completed(long number) {
        return new SegmentMetadata(
                number,
                number,
                SegmentMetadata.State.COMPLETED,
                100,
                200,
                50,
                17,
                9,
                4,
                3,
                1_700_000_000_789L,
                1_700_000_001_000L,
                5_000);
    }

    /** The cookie of the bookie of a number. */
    public static BookieCookie cookie(int number) {
        return new BookieCookie(
                CLUSTER,
                bookie(number),
                "bookie-" + number,
                List.of("journal-0", "data-0", "data-1"),
                1_700_000_000_000L);
    }

    /** The registration of the bookie of a number. */
    public static BookieRegistration registration(int number, boolean readOnly) {
        return new BookieRegistration(
                bookie(number), "bookie-" + number, "host.example", 3181 + number, readOnly, "/rack/1", 1L << 40);
    }
}
