// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bookies are watched: what they deny although they have acknowledged it. */
final class EntryWatchTest { // B6
    private static final long LEDGER = 5;
    private static final long GIVEN_UP = 6;

    private final EntryWatch watch = new EntryWatch((machine, ledgerId) -> ledgerId != GIVEN_UP);

    private void sent(String bookie, ByteBuf frame) {
        watch.sent(bookie, "client", ByteBufUtil.getBytes(frame), 1);
    }

    private static ByteBuf ack(long ledgerId) {
        ByteBuf frame = Unpooled.buffer();
        new AddAck(ledgerId, 3, 2, 0, 0, StatusCode.OK).write(frame);
        return frame;
    }

    private static ByteBuf denial(long ledgerId, long entryId, StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        new ReadAnswer(1, ledgerId, entryId, 3, 0, status, 0).write(frame);
        return frame;
    }

    @BeforeEach
    void bookieHasAcknowledgedEntries3And4() {
        sent("bookie-1", ack(LEDGER));
        sent("bookie-1", ack(GIVEN_UP));
    }

    @Test
    void denialOfAnAcknowledgedEntryIsNoticed() {
        sent("bookie-1", denial(LEDGER, 4, StatusCode.NO_ENTRY));
        sent("bookie-1", denial(LEDGER, 3, StatusCode.NO_LEDGER));

        assertThat(watch.violations()).extracting(Violation::check).containsExactly("denied-entry", "denied-entry");
    }

    @Test
    void otherEntriesAndHonestAnswersAreGood() {
        sent("bookie-1", denial(LEDGER, 5, StatusCode.NO_ENTRY));
        sent("bookie-1", denial(LEDGER, Long.MAX_VALUE - 1, StatusCode.NO_ENTRY));
        sent("bookie-1", denial(LEDGER, 4, StatusCode.CORRUPT));
        sent("bookie-2", denial(LEDGER, 4, StatusCode.NO_ENTRY));

        assertThat(watch.violations()).isEmpty();
    }

    @Test
    void bookieThatMetadataDoesNotNameMayHaveGivenItUp() {
        sent("bookie-1", denial(GIVEN_UP, 4, StatusCode.NO_ENTRY));

        assertThat(watch.violations()).isEmpty();
    }

    @Test
    void anotherBookieOnTheSameMachineHasPromisedNothing() {
        watch.forget("bookie-1");

        sent("bookie-1", denial(LEDGER, 4, StatusCode.NO_ENTRY));

        assertThat(watch.violations()).isEmpty();
    }
}
