// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.runtime.simulated.network.FrameWatch;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** Sees what bookies tell of fences: once a bookie has said that a ledger is fenced it acknowledges no normal add to it any more (B3, L6). */
public final class FenceWatch implements FrameWatch {
    private final Map<String, SortedMap<Long, Long>> fencedNanosByMachine = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    FenceWatch() {}

    /** What was wrong so far. */
    public List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** The ledgers of which the bookie on a machine has said that they are fenced, and since when. */
    SortedMap<Long, Long> fencedAt(String machine) {
        return fencedNanosByMachine.computeIfAbsent(machine, none -> new TreeMap<>());
    }

    /** Another bookie lives there from now on, or none. */
    void forget(String machine) {
        fencedNanosByMachine.remove(machine);
    }

    /**
     * A bookie goes on without what its journal had: it fences again what metadata names it for. Of other ledgers nobody's end rests on its fence, and when a writer takes it into an ensemble it is as
     * new there as any other.
     */
    void forgetUnless(String machine, LongPredicate isMember) {
        fencedAt(machine).keySet().removeIf(ledgerId -> !isMember.test(ledgerId));
    }

    @Override
    public void sent(String from, String to, byte[] bytes, long nanos) {
        if (!from.startsWith(SimulatedCluster.MACHINE_PREFIX)) {
            return;
        }
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        switch (MessageType.of(frame)) {
            case FENCE_ANSWER -> {
                FenceAnswer answer = FenceAnswer.read(frame);
                if (answer.status() == StatusCode.OK) {
                    fencedAt(from).putIfAbsent(answer.ledgerId(), nanos);
                }
            }
            case READ_ANSWER -> {
                ReadAnswer answer = ReadAnswer.read(frame);
                if (answer.isFenced()) {
                    fencedAt(from).putIfAbsent(answer.ledgerId(), nanos);
                }
            }
            case ADD_ACK -> judge(from, to, AddAck.read(frame), nanos);
            default -> {}
        }
    }

    /** What was taken before the fence is acknowledged with it at the latest. */
    private void judge(String from, String to, AddAck ack, long nanos) {
        Long fencedNanos = fencedAt(from).get(ack.ledgerId());
        boolean isNormal = (ack.flags() & AddRequest.FLAG_RECOVERY) == 0;
        if (fencedNanos != null && isNormal && ack.status() == StatusCode.OK && nanos > fencedNanos) {
            violations.add(new Violation(
                    "add-after-fence",
                    ack.ledgerId(),
                    ack.firstEntryId(),
                    from + " acknowledged it to " + to + " " + (nanos - fencedNanos) + " ns after it told of a fence"));
        }
    }
}
