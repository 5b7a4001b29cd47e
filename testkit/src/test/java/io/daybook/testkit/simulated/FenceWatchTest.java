// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

/** Bookies are watched: what they acknowledge after they have told of a fence. */
final class FenceWatchTest { // B3, L6
    private static final long LEDGER = 5;

    private final FenceWatch watch = new FenceWatch();

    private void sent(ByteBuf frame, long nanos) {
        watch.sent("bookie-1", "writer-0", ByteBufUtil.getBytes(frame), nanos);
    }

    private static ByteBuf ack(int flags, StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        new AddAck(LEDGER, 3, 1, 0, flags, status).write(frame);
        return frame;
    }

    private static ByteBuf fenceAnswer(StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        new FenceAnswer(1, LEDGER, 2, 3, status).write(frame);
        return frame;
    }

    @Test
    void normalAddAfterAFenceIsNoticed() {
        sent(fenceAnswer(StatusCode.OK), 10);

        sent(ack(0, StatusCode.OK), 11);

        assertThat(watch.violations()).extracting(Violation::check).containsExactly("add-after-fence");
    }

    @Test
    void fenceToldWithAReadCountsToo() {
        ByteBuf frame = Unpooled.buffer();
        new ReadAnswer(1, LEDGER, 4, 3, 0, StatusCode.NO_ENTRY, ReadAnswer.FLAG_FENCED).write(frame);
        sent(frame, 10);

        sent(ack(0, StatusCode.OK), 11);

        assertThat(watch.violations()).hasSize(1);
    }

    @Test
    void whatGoesWithTheFenceOrIsARecoveryOrARefusalIsGood() {
        sent(fenceAnswer(StatusCode.OK), 10);

        sent(ack(0, StatusCode.OK), 10);
        sent(ack(AddRequest.FLAG_RECOVERY, StatusCode.OK), 11);
        sent(ack(0, StatusCode.FENCED), 12);

        assertThat(watch.violations()).isEmpty();
    }

    @Test
    void fenceThatFailedOrThatAnotherBookieToldOfDoesNotCount() {
        sent(fenceAnswer(StatusCode.UNKNOWN_STATE), 10);
        watch.sent("bookie-2", "recoverer-0", ByteBufUtil.getBytes(fenceAnswer(StatusCode.OK)), 10);

        sent(ack(0, StatusCode.OK), 11);

        assertThat(watch.violations()).isEmpty();
    }
}
