// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How a ledger is made.
 *
 * @param quorums E/Qw/Qa
 * @param waitFor for how many copies an acknowledgement waits
 * @param isSyncDeferred whether appends are done when they are taken by bookies, into memory, and made durable by {@link LedgerWriter#force} only
 * @param digest how entries are checked end to end
 * @param digestKey the key of {@link DigestType#HMAC_SHA256}; empty otherwise
 * @param custom text pairs kept with the ledger, at most {@link #CUSTOM_BYTES_MAX} bytes together; keys that begin with {@code daybook.} are Daybook's own: a
 *     ledger that carries those of a stream is deleted when no such stream names it
 * @param ledgerId the id of the ledger, 0 or more, never used before; empty lets the cluster give one
 * @param loop the loop on which the writer lives; empty lets the client choose
 */
public record CreateOptions(
        Quorums quorums,
        WaitFor waitFor,
        boolean isSyncDeferred,
        DigestType digest,
        DigestKey digestKey,
        Map<String, String> custom,
        OptionalLong ledgerId,
        Optional<EventLoop> loop) {
    /** How many bytes of UTF-8 the text pairs may have together: 64 KiB. They travel with every change of the ledger's metadata. */
    public static final int CUSTOM_BYTES_MAX = 64 * 1024;

    /** Three copies, acknowledged after two, CRC-32C. */
    public static final CreateOptions DEFAULT = new CreateOptions(
            Quorums.DEFAULT,
            WaitFor.ACK_QUORUM,
            false,
            DigestType.CRC32C,
            DigestKey.NONE,
            Map.of(),
            OptionalLong.empty(),
            Optional.empty());

    /**
     * Checks the id and the text pairs, of which it takes a copy.
     *
     * @param quorums E/Qw/Qa
     * @param waitFor for how many copies an acknowledgement waits
     * @param isSyncDeferred whether durability waits for {@link LedgerWriter#force}
     * @param digest how entries are checked
     * @param digestKey the key of the digest
     * @param custom text pairs
     * @param ledgerId the id, 0 or more, or empty
     * @param loop the loop of the writer, or empty
     * @throws IllegalArgumentException when the id is negative, or when the text pairs are too large or one lacks a key or a value
     */
    public CreateOptions {
        if (ledgerId.isPresent() && ledgerId.getAsLong() < 0) {
            throw new IllegalArgumentException("a ledger id is 0 or more, not " + ledgerId.getAsLong());
        }
        custom = checkedCopy(custom);
    }

    private static Map<String, String> checkedCopy(Map<String, String> custom) {
        Map<String, String> copy = new TreeMap<>();
        long bytes = 0;
        for (Map.Entry<String, String> pair : custom.entrySet()) {
            String key = pair.getKey();
            String value = pair.getValue();
            if (key == null || value == null) {
                throw new IllegalArgumentException("a text pair of a ledger has a key and a value, not " + pair);
            }
            bytes += key.getBytes(StandardCharsets.UTF_8).length + value.getBytes(StandardCharsets.UTF_8).length;
            copy.put(key, value);
        }
        if (bytes > CUSTOM_BYTES_MAX) {
            throw new IllegalArgumentException("the text pairs of a ledger have " + bytes + " bytes, more than "
                    + CUSTOM_BYTES_MAX + ": keep such things in an entry");
        }
        return Collections.unmodifiableMap(copy);
    }

    /**
     * With other quorums.
     *
     * @param next E/Qw/Qa
     * @return the same options otherwise
     */
    public CreateOptions withQuorums(Quorums next) {
        return new CreateOptions(next, waitFor, isSyncDeferred, digest, digestKey, custom, ledgerId, loop);
    }

    /**
     * Acknowledging after so many copies.
     *
     * @param next how many
     * @return the same options otherwise
     */
    public CreateOptions waitingFor(WaitFor next) {
        return new CreateOptions(quorums, next, isSyncDeferred, digest, digestKey, custom, ledgerId, loop);
    }

    /**
     * With deferred sync: see {@link LedgerWriter#force}.
     *
     * @return the same options otherwise
     */
    public CreateOptions deferringSync() {
        return new CreateOptions(quorums, waitFor, true, digest, digestKey, custom, ledgerId, loop);
    }

    /**
     * With another digest and its key.
     *
     * @param next the digest
     * @param key its key; {@link DigestKey#NONE} for a digest that needs none
     * @return the same options otherwise
     */
    public CreateOptions withDigest(DigestType next, DigestKey key) {
        return new CreateOptions(quorums, waitFor, isSyncDeferred, next, key, custom, ledgerId, loop);
    }

    /**
     * With other text pairs.
     *
     * @param next the pairs, in place of those before
     * @return the same options otherwise
     * @throws IllegalArgumentException when they are too large or one lacks a key or a value
     */
    public CreateOptions withCustom(Map<String, String> next) {
        return new CreateOptions(quorums, waitFor, isSyncDeferred, digest, digestKey, next, ledgerId, loop);
    }

    /**
     * With this id. Making the ledger fails with {@link LedgerException.LedgerExists} when it is or ever was in use. Ids that the cluster gives grow from
     * 0, in steps of one; choose others, such as hashes of names, far above them.
     *
     * @param next the id, 0 or more
     * @return the same options otherwise
     * @throws IllegalArgumentException when it is negative
     */
    public CreateOptions withLedgerId(long next) {
        return new CreateOptions(
                quorums, waitFor, isSyncDeferred, digest, digestKey, custom, OptionalLong.of(next), loop);
    }

    /**
     * On this loop.
     *
     * @param next a loop that {@link LedgerClient#assignLoop} gave
     * @return the same options otherwise
     */
    public CreateOptions on(EventLoop next) {
        return new CreateOptions(
                quorums, waitFor, isSyncDeferred, digest, digestKey, custom, ledgerId, Optional.of(next));
    }
}
