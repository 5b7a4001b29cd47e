// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;

/**
 * Sends the pending entries of a writer to the members that are to keep them, once or again.
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class Sender {
    private static final long BUSY_NANOS = 20_000_000L;

    private final HandleContext context;
    private final Members members;
    private final MemberCare care;
    private final PendingEntries pending;
    private final WriteSets writeSets;
    private boolean isStopped;

    Sender(HandleContext context, Members members, MemberCare care, PendingEntries pending, WriteSets writeSets) {
        this.context = context;
        this.members = members;
        this.care = care;
        this.pending = pending;
        this.writeSets = writeSets;
    }

    /** Sends a new entry to its whole write set, but for the members that have failed. */
    void send(long id) {
        send(id, writeSets.slotsOf(id));
    }

    /** Sends the members in {@code slots} what they have not acknowledged. */
    void resend(int slots) {
        for (long id = pending.first(); id < pending.next(); id++) {
            send(id, writeSets.slotsOf(id) & slots & ~pending.get(id).ackedSlots);
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
                send(id, writeSets.slotsOf(id) & (1 << slot) & ~pending.get(id).ackedSlots);
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
    }
}
