// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.stream.StreamException;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** What whoever reads an entry is told of damage. */
final class SegmentEntriesTest {
    @Test
    void damagedEntryIsToldWithItsStreamItsPositionAndWhatCanBeDone() {
        LedgerEntries.Entry damaged = new LedgerEntries.Entry(1, 7, Unpooled.wrappedBuffer(new byte[] {42, 42, 42}));

        // S-12, S2
        assertThatThrownBy(() -> SegmentEntries.decode("shop/orders", 3, damaged))
                .isInstanceOf(StreamException.Corrupt.class)
                .hasMessageContaining("stream 'shop/orders' is damaged at 3:7:0")
                .hasMessageContaining("open a reader at a later position");
    }
}
