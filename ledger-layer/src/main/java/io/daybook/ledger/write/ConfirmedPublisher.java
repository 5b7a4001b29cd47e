// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;

/**
 * Tells the bookies the last add confirmed when the writer has nothing pending and so no further entry would carry it: durable is visible.
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class ConfirmedPublisher {
    /** What the publisher needs of its writer. */
    interface Source {
        /** The last add confirmed, when nothing is pending and the writer works; else -1. */
        long idleConfirmed();

        /** A bookie says that the ledger is fenced. */
        void fencedBy(String how);
    }

    private final HandleContext context;
    private final long ledgerId;
    private final Members members;
    private final Source source;
    private long published = Limits.NO_ENTRY_ID;
    private boolean isDue;

    ConfirmedPublisher(HandleContext context, long ledgerId, Members members, Source source) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.members = members;
        this.source = source;
    }

    /** The writer may have become idle. */
    void idle() {
        if (isDue || source.idleConfirmed() <= published) {
            return;
        }
        isDue = true;
        long delay = context.timeouts().publishDelay();
        if (delay == 0) {
            context.loop().atEndOfTurn(this::publish);
        } else {
            context.loop().schedule(delay, this::publish);
        }
    }

    /** There are new members, who have heard nothing yet. */
    void startAgain() {
        published = Limits.NO_ENTRY_ID;
        idle();
    }

    private void publish() {
        isDue = false;
        long confirmed = source.idleConfirmed();
        if (confirmed <= published) {
            return;
        }
        published = confirmed;
        PublishRequest request =
                new PublishRequest(0, ledgerId, confirmed, context.timeouts().addMillis());
        for (int slot = 0; slot < members.size(); slot++) {
            if (!members.isFailed(slot)) {
                context.links().publish(request, members.bookie(slot), this::onAck);
            }
        }
    }

    private void onAck(PublishAck ack) {
        if (ack.status() == StatusCode.FENCED) {
            source.fencedBy("a bookie refused a publish");
        }
    }
}
