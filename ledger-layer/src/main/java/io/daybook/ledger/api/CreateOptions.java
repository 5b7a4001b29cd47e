// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.EventLoop;
import java.util.Map;
import java.util.Optional;

/**
 * How a ledger is made.
 *
 * @param quorums E/Qw/Qa
 * @param digest how entries are checked end to end
 * @param digestKey the key of {@link DigestType#HMAC_SHA256}; empty otherwise
 * @param custom text pairs kept with the ledger
 * @param loop the loop on which the writer lives; empty lets the client choose
 */
public record CreateOptions(
        Quorums quorums, DigestType digest, DigestKey digestKey, Map<String, String> custom, Optional<EventLoop> loop) {
    /** Three copies, acknowledged after two, CRC-32C. */
    public static final CreateOptions DEFAULT =
            new CreateOptions(Quorums.DEFAULT, DigestType.CRC32C, DigestKey.NONE, Map.of(), Optional.empty());

    /** With other quorums. */
    public CreateOptions withQuorums(Quorums next) {
        return new CreateOptions(next, digest, digestKey, custom, loop);
    }

    /** With another digest and its key. */
    public CreateOptions withDigest(DigestType next, DigestKey key) {
        return new CreateOptions(quorums, next, key, custom, loop);
    }

    /** With other text pairs. */
    public CreateOptions withCustom(Map<String, String> next) {
        return new CreateOptions(quorums, digest, digestKey, next, loop);
    }

    /** On this loop. */
    public CreateOptions on(EventLoop next) {
        return new CreateOptions(quorums, digest, digestKey, custom, Optional.of(next));
    }
}
