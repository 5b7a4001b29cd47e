// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.netty.buffer.ByteBuf;

/**
 * Sends the pending entries of a writer to the members that are to keep them, once or again, and has them synced when that is deferred and asked for.
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class Sender {
    private static final long BUSY_NANOS = 20_000_000L;

    private final HandleContext context;
    private final Members members;
    private final MemberCare care;
    private final PendingEntries pending;
    private final long ledgerId;
    private long forcedBefore;
    private boolean isForceDue;
    private boolean isStopped;

    Sender(HandleContext context, Members members, MemberCare care, PendingEntries pending, long ledgerId) {
        this.context = context;
        this.members = members;
        this.care = care;
        this.pending = pending;
        this.ledgerId = ledgerId;
    }

    /** Sends a new entry to its whole write set, but for the members that have failed. */
    void send(long id) {
        send(id, pending.untakenSlots(id));
    }

    /** Sends the members in {@code slots} what they have not taken; one that is given up for being slow again gets no more. */
    void resend(int slots) {
        for (long id = pending.first(); id < pending.next(); id++) {
            care.failSlowAgain();
            send(id, pending.untakenSlots(id) & slots);
        }
        forceLater();
    }

    /** Has all members sync the entries below {@code before}, now and whenever any of them is sent again. */
    void force(long before) {
        forcedBefore = before;
        forceLater();
    }

    /** At the end of the turn, behind everything that is sent in it. */
    private void forceLater() {
        if (!isForceDue && !pending.isEmpty() && pending.first() < forcedBefore) {
            isForceDue = true;
            context.loop().atEndOfTurn(this::forceNow);
        }
    }

    /** As {@link #force}, at once. */
    void forceNow() {
        isForceDue = false;
        for (int slot = 0; slot < members.size(); slot++) {
            if (!isStopped && !members.isFailed(slot)) {
                ByteBuf frame = context.links().allocate(AddRequest.Force.FRAME_BYTES);
                new AddRequest.Force(ledgerId).write(frame);
                if (!context.links().force(members.bookie(slot), frame)) {
                    care.fail(slot, StatusCode.DISCONNECTED);
                }
            }
        }
    }

    /** A busy bookie is sent what it refused once more, after a moment: overload slows the writer and is no failure (S-08). */
    void resendLater(BookieId bookie, AddAck refused) {
        context.loop().schedule(BUSY_NANOS, () -> {
            int slot = members.slotOf(bookie);
            if (isStopped || slot < 0) {
                return;
            }
            long first = Math.max(refused.firstEntryId(), pending.first());
            long last = Math.min(refused.firstEntryId() + refused.count(), pending.next()) - 1;
            for (long id = first; id <= last; id++) {
                send(id, pending.untakenSlots(id) & (1 << slot));
            }
        });
    }

    /** The writer has ended. */
    void stop() {
        isStopped = true;
    }

    private void send(long id, int slots) {
        PendingEntries.Entry entry = pending.get(id);
        for (int slot = 0; slot < members.size(); slot++) {
            if ((slots & (1 << slot)) != 0 && !members.isFailed(slot)) {
                if (context.links().add(members.bookie(slot), entry.frame().retainedSlice())) {
                    entry.wasSent = true;
                    members.sent(slot, context.loop().nanoTime());
                } else {
                    care.fail(slot, StatusCode.DISCONNECTED);
                }
            }
        }
        if (id < forcedBefore) {
            forceLater();
        }
    }
}
