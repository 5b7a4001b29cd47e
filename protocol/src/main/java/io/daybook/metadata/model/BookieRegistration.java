// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.BookieId;

/**
 * What a live bookie says of itself while its session lasts.
 *
 * @param host and {@code port}: where it listens
 * @param readOnly whether it takes no new entries
 * @param rack a label of its fault domain, empty when unknown
 * @param usableBytes space left in its data directories, 0 when unknown
 */
public record BookieRegistration(
        BookieId bookieId, String name, String host, int port, boolean readOnly, String rack, long usableBytes) {
    /** Where it listens, for messages. */
    public String address() {
        return host + ':' + port;
    }
}
