// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.ReadAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the monitor reads in frames. */
final class ModelMonitorTest {
    private static final String CLIENT = "client";
    private static final String BOOKIE = "bookie";
    private static final long LEDGER = 7;

    private final Set<Long> deleted = new HashSet<>();
    private final ModelMonitor monitor = new ModelMonitor(
            machine -> machine.equals(BOOKIE) ? Optional.of(new BookieId(0, 1)) : Optional.empty(),
            deleted::contains,
            ledgerId -> false,
            ledgerId -> {
                throw new AssertionError("nothing is acknowledged");
            });

    private void sends(String machine, ByteBuf frame) {
        monitor.sent(machine, machine.equals(BOOKIE) ? CLIENT : BOOKIE, ByteBufUtil.getBytes(frame), 0);
        frame.release();
    }

    private static ByteBuf add(int flags, String payload) {
        ByteBuf frame = Unpooled.buffer();
        AddRequest.write(frame, LEDGER, 0, AddRequest.handleAndFlags(1, flags), 0);
        EntryLayout.writeHeader(frame, LEDGER, 0, -1, payload.length());
        ByteBufUtil.writeAscii(frame, payload);
        return frame;
    }

    private static ByteBuf fenceAnswer(long lastAddConfirmed, StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        new FenceAnswer(1, LEDGER, lastAddConfirmed, lastAddConfirmed, status).write(frame);
        return frame;
    }

    private static ByteBuf readAnswer(long lastAddConfirmed) {
        ByteBuf frame = Unpooled.buffer();
        new ReadAnswer(1, LEDGER, 0, lastAddConfirmed, 0, StatusCode.OK, 0).write(frame);
        return frame;
    }

    private void assertBroken(String property) {
        assertThat(monitor.violations()).hasSize(1);
        assertThat(monitor.violations().get(0).text()).startsWith(property + ": ");
    }

    @Test
    void theSameBytesMayBeSentAgainByAnybody() { // L12
        sends(CLIENT, add(0, "first"));
        sends(CLIENT, add(AddRequest.FLAG_RECOVERY, "first"));

        assertThat(monitor.violations()).isEmpty();
    }

    @Test
    void aCopyOfOtherBytesIsTold() { // L12
        sends(CLIENT, add(0, "first"));
        sends(CLIENT, add(AddRequest.FLAG_RECOVERY, "other"));

        assertBroken("L12");
    }

    @Test
    void aConfirmationThatAFencedBookieTellsIsHeldAgainstTheWriters() { // L10
        sends(BOOKIE, fenceAnswer(-1, StatusCode.OK));
        assertThat(monitor.violations()).isEmpty();

        sends(BOOKIE, fenceAnswer(0, StatusCode.OK));

        assertBroken("L10");
    }

    @Test
    void aConfirmationThatAReaderIsToldIsHeldAgainstTheWriters() { // L10
        sends(BOOKIE, readAnswer(-1));
        assertThat(monitor.violations()).isEmpty();

        sends(BOOKIE, readAnswer(0));

        assertBroken("L10");
    }

    @Test
    void whatIsSentOfADeletedLedgerIsNotHeldAgainstAnything() {
        deleted.add(LEDGER);
        sends(CLIENT, add(0, "first"));
        sends(CLIENT, add(0, "other"));
        sends(BOOKIE, fenceAnswer(5, StatusCode.OK));
        sends(BOOKIE, readAnswer(5));

        assertThat(monitor.violations()).isEmpty();
    }
}
