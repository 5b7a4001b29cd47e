// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The whole tree of nodes, below one root. No node has more than about 4,096 children at a million ledgers, a million streams or 50,000 segments.
 *
 * <pre>
 * /cluster                                    what the cluster is
 * /ledger-ids                                 the counter of ledger ids
 * /ledgers/7/fff/fff/fff/fff                  a bucket of 4,096 ids: which of them were deleted
 * /ledgers/7/fff/fff/fff/fff/fff              a ledger: the 16 hex digits of its id, cut into levels
 * /bookies/cookies/ID                         a formatted bookie
 * /bookies/live/ID                            a live bookie; ephemeral
 * /bookies/tokens/ID-TOKEN                    there as long as the registration with that token; ephemeral
 * /streams/fff                                one of 4,096 buckets: where the segment numbers of its next stream begin, once one was deleted or renamed
 * /streams/fff/NAME                           the head of a stream, in one of 4,096 buckets by the checksum of its name
 * /streams/fff/NAME/i-INCARNATION             there as long as this incarnation of the stream
 * /homes/fff/HOME                             the home of a stream: its name now; in one of 4,096 buckets by the last digits of HOME
 * /homes/fff/HOME/s0000000000000000/NUMBER    a segment, in buckets of 1,000 numbers
 * /homes/fff/HOME/subscriptions/ID            a named position in the stream
 * /locks/fff/NAME                             a lock that is held, in one of 4,096 buckets by the checksum of its name; ephemeral
 * </pre>
 *
 * <p>The segments of a stream that was made before streams could be renamed stand below its head, its subscriptions in {@code /subscriptions/fff/NAME/ID}.
 */
record ZkPaths(String root) {
    /** Levels of nodes between {@code /ledgers} and a ledger, the bucket included. */
    static final int LEDGER_LEVELS = 5;

    /** Bits of a ledger id that one level stands for; the first level has the three that are left. */
    static final int LEDGER_LEVEL_BITS = 12;

    /** Segment numbers in one bucket. */
    static final long SEGMENT_BUCKET_SIZE = 1_000;

    private static final int LEDGER_LEVEL_DIGITS = 3;
    private static final String INCARNATION_PREFIX = "i-";
    private static final String SUBSCRIPTIONS = "subscriptions";
    private static final String SAFE_PUNCTUATION = "-_.";
    private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

    String cluster() {
        return root + "/cluster";
    }

    String ledgerIds() {
        return root + "/ledger-ids";
    }

    String ledgers() {
        return root + "/ledgers";
    }

    /** The bucket of a ledger id. */
    String ledgerBucket(long ledgerId) {
        String path = ledger(ledgerId);
        return path.substring(0, path.lastIndexOf('/'));
    }

    String ledger(long ledgerId) {
        String digits = String.format("%016x", ledgerId);
        StringBuilder path = new StringBuilder(ledgers()).append('/').append(digits.charAt(0));
        for (int i = 1; i < digits.length(); i += LEDGER_LEVEL_DIGITS) {
            path.append('/').append(digits, i, i + LEDGER_LEVEL_DIGITS);
        }
        return path.toString();
    }

    /** Which of the ids of its bucket a ledger's is. */
    static int indexInBucket(long ledgerId) {
        return (int) (ledgerId & ((1 << LEDGER_LEVEL_BITS) - 1));
    }

    String cookies() {
        return root + "/bookies/cookies";
    }

    String cookie(BookieId bookieId) {
        return cookies() + '/' + bookieId;
    }

    String live() {
        return root + "/bookies/live";
    }

    String live(BookieId bookieId) {
        return live() + '/' + bookieId;
    }

    String registrationTokens() {
        return root + "/bookies/tokens";
    }

    /** Tells the registrations of one bookie from each other: their nodes have the same path, and may have the same version. */
    String registrationToken(BookieId bookieId, WriteToken token) {
        return registrationTokens() + '/' + bookieId + '-' + token.hex();
    }

    String streams() {
        return root + "/streams";
    }

    /** The bucket of a stream. */
    static String bucket(String streamPath) {
        return streamPath.substring(0, streamPath.lastIndexOf('/'));
    }

    String stream(String name) {
        return streams() + inBucket(name);
    }

    /** The home of the stream of an identity. */
    String home(WriteToken identity) {
        return root + String.format("/homes/%03x/", identity.low() & (StreamNames.BUCKET_COUNT - 1)) + identity.hex();
    }

    /** Above the segments of a stream: its home, or its head. */
    String aboveSegments(StreamMetadata stream) {
        return stream.home().isBelowName() ? stream(stream.name()) : home(stream.identity());
    }

    /** Above the subscriptions of a stream. */
    String subscriptions(StreamMetadata stream) {
        return stream.home().isBelowName()
                ? root + '/' + SUBSCRIPTIONS + inBucket(stream.name())
                : home(stream.identity()) + '/' + SUBSCRIPTIONS;
    }

    String subscription(StreamMetadata stream, String id) {
        return subscriptions(stream) + '/' + encoded(id);
    }

    String lock(String name) {
        return root + "/locks" + inBucket(name);
    }

    private static String inBucket(String name) {
        return String.format("/%03x/", StreamNames.bucket(name)) + encoded(name);
    }

    static String incarnation(String streamPath, WriteToken incarnation) {
        return streamPath + '/' + INCARNATION_PREFIX + incarnation.hex();
    }

    /** Whether a child of a home or of a head is a bucket of segments. */
    static boolean isSegmentBucket(String child) {
        return !child.startsWith(INCARNATION_PREFIX) && !child.equals(SUBSCRIPTIONS);
    }

    /** The child of a home above subscriptions. */
    static boolean isAboveSubscriptions(String child) {
        return child.equals(SUBSCRIPTIONS);
    }

    static String segmentBucket(long number) {
        return String.format("s%016d", number / SEGMENT_BUCKET_SIZE);
    }

    /** A segment by its number at home. */
    static String segment(String above, long number) {
        return above + '/' + segmentBucket(number) + '/' + number;
    }

    /** A name as the name of a node: bytes other than letters, digits, '-', '_' and '.' (not in front) as % and two digits. */
    static String encoded(String name) {
        StringBuilder node = new StringBuilder(name.length() + 8);
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (octet & 0xff);
            if (isSafe(character) && !(character == '.' && node.isEmpty())) {
                node.append(character);
            } else {
                node.append('%').append(UPPER_HEX.toHexDigits(octet));
            }
        }
        return node.toString();
    }

    private static boolean isSafe(char character) {
        return (character >= '0' && character <= '9')
                || (character >= 'A' && character <= 'Z')
                || (character >= 'a' && character <= 'z')
                || SAFE_PUNCTUATION.indexOf(character) >= 0;
    }

    /** The name that {@link #encoded} turned into {@code node}; throws {@link IllegalArgumentException} when there is none. */
    static String decoded(String node) {
        byte[] octets = new byte[node.length()];
        int count = 0;
        for (int i = 0; i < node.length(); i++) {
            if (node.charAt(i) == '%' && i + 2 < node.length()) {
                octets[count++] = (byte) HexFormat.fromHexDigits(node, i + 1, i + 3);
                i += 2;
            } else {
                octets[count++] = (byte) node.charAt(i);
            }
        }
        String name = new String(octets, 0, count, StandardCharsets.UTF_8);
        if (!encoded(name).equals(node)) {
            throw new IllegalArgumentException("'" + node + "' is not the node of a stream");
        }
        return name;
    }
}
