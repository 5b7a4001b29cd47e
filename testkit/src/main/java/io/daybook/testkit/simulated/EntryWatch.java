// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.runtime.simulated.network.FrameWatch;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** Sees what bookies tell of entries: a bookie never denies an entry that it has acknowledged, while metadata counts on it (B6). */
public final class EntryWatch implements FrameWatch {
    private final Map<String, Map<Long, BitSet>> acknowledgedByMachine = new TreeMap<>();
    private final BiPredicate<String, Long> isMember;
    private final List<Violation> violations = new ArrayList<>();

    /** {@code isMember} knows whether metadata names the bookie on a machine for a ledger; another one may have given it up. */
    EntryWatch(BiPredicate<String, Long> isMember) {
        this.isMember = isMember;
    }

    /** What was wrong so far. */
    public List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** Another bookie lives there from now on, or none. */
    void forget(String machine) {
        acknowledgedByMachine.remove(machine);
    }

    @Override
    public void sent(String from, String to, byte[] bytes, long nanos) {
        if (!from.startsWith(SimulatedCluster.MACHINE_PREFIX)) {
            return;
        }
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        switch (MessageType.of(frame)) {
            case ADD_ACK -> acknowledged(from, AddAck.read(frame));
            case READ_ANSWER -> judge(from, to, ReadAnswer.read(frame));
            default -> {}
        }
    }

    /** Whoever only asks for the last add confirmed names an entry that never is. */
    private static boolean isTracked(long entryId) {
        return entryId < Integer.MAX_VALUE;
    }

    private void acknowledged(String from, AddAck ack) {
        if (ack.status() == StatusCode.OK && isTracked(ack.firstEntryId() + ack.count())) {
            acknowledgedByMachine
                    .computeIfAbsent(from, none -> new TreeMap<>())
                    .computeIfAbsent(ack.ledgerId(), none -> new BitSet())
                    .set((int) ack.firstEntryId(), (int) ack.firstEntryId() + ack.count());
        }
    }

    private void judge(String from, String to, ReadAnswer answer) {
        boolean isDenial = answer.status() == StatusCode.NO_ENTRY || answer.status() == StatusCode.NO_LEDGER;
        if (!isDenial || !isTracked(answer.firstEntryId())) {
            return;
        }
        boolean hasAcknowledged = acknowledgedByMachine
                .getOrDefault(from, Collections.emptyMap())
                .getOrDefault(answer.ledgerId(), new BitSet())
                .get((int) answer.firstEntryId());
        if (hasAcknowledged && isMember.test(from, answer.ledgerId())) {
            violations.add(new Violation(
                    "denied-entry",
                    answer.ledgerId(),
                    answer.firstEntryId(),
                    from + " told " + to + " " + answer.status() + " although it had acknowledged the entry"));
        }
    }
}
