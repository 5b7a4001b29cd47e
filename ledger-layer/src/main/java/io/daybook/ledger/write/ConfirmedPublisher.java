// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import org.jspecify.annotations.Nullable;

/**
 * Tells the bookies the last add confirmed when the writer has nothing pending and so no further entry would carry it: durable is visible. It waits
 * a moment, in which a next entry may do it for nothing: a publish is a journal commit of its own at each bookie.
 *
 * <p><i>Invariants:</i> an entry that no later one follows is published at most two delays after its acknowledgement.
 * <i>Threading:</i> confined to its owner's loop.
 */
final class ConfirmedPublisher {
    /** What the publisher needs of its writer. */
    interface Source {
        /** The last add confirmed, when nothing is pending and the writer works; else -1. */
        long idleConfirmed();

        /** A bookie says that the ledger is fenced. */
        void fencedBy(String how);
    }

    private static final long RETRY_NANOS_MIN = 100_000_000L;
    private static final long RETRY_NANOS_MAX = 2_000_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final Members members;
    private final Source source;
    private final boolean isStriped;
    private long published = Limits.NO_ENTRY_ID;
    private long whenScheduled = Limits.NO_ENTRY_ID;
    private long retryNanos = RETRY_NANOS_MIN;
    private @Nullable Round round;
    private boolean isDue;

    /** {@code isStriped} when not every member gets every entry. */
    ConfirmedPublisher(HandleContext context, long ledgerId, Members members, Source source, boolean isStriped) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.members = members;
        this.source = source;
        this.isStriped = isStriped;
    }

    /** The writer may have become idle. */
    void idle() {
        long confirmed = source.idleConfirmed();
        if (isDue || confirmed <= published) {
            return;
        }
        isDue = true;
        whenScheduled = confirmed;
        long delay = context.timeouts().publishDelay();
        if (delay == 0) {
            context.loop().atEndOfTurn(this::publish);
        } else {
            context.loop().schedule(delay, this::publishUnlessCarried);
        }
    }

    /** There are new members, who have heard nothing yet. */
    void startAgain() {
        published = Limits.NO_ENTRY_ID;
        idle();
    }

    /**
     * Entries since then carry what was confirmed then, to every member unless they are striped; only the newest is not carried yet, and has a delay
     * of its own.
     */
    private void publishUnlessCarried() {
        if (isStriped || source.idleConfirmed() == whenScheduled) {
            publish();
        } else {
            isDue = false;
            idle();
        }
    }

    private void publish() {
        isDue = false;
        long confirmed = source.idleConfirmed();
        if (confirmed > published) {
            published = confirmed;
            retryNanos = RETRY_NANOS_MIN;
            send(confirmed);
        }
    }

    private void send(long confirmed) {
        Round now = new Round(confirmed);
        round = now;
        PublishRequest request =
                new PublishRequest(0, ledgerId, confirmed, context.timeouts().readMillis());
        for (int slot = 0; slot < members.size(); slot++) {
            if (!members.isFailed(slot)) {
                now.missing++;
                context.links().publish(request, members.bookie(slot), now::onAck);
            }
        }
        if (now.missing == 0) {
            now.ended();
        }
    }

    /**
     * One publication to all members. It is made again a few times when some did not take it, and until one does when none did: nothing else would tell
     * readers of the last entries.
     */
    private final class Round {
        private final long confirmed;
        private int missing;
        private boolean isTaken;
        private boolean isMissed;

        Round(long confirmed) {
            this.confirmed = confirmed;
        }

        void onAck(PublishAck ack) {
            missing--;
            if (ack.status() == StatusCode.FENCED) {
                source.fencedBy("a bookie refused a publish");
                return;
            }
            if (ack.status() == StatusCode.OK) {
                isTaken = true;
            } else {
                isMissed = true;
            }
            if (missing == 0) {
                ended();
            }
        }

        void ended() {
            boolean isEnough = isTaken && (!isMissed || retryNanos == RETRY_NANOS_MAX);
            if (isEnough || !isLatest()) {
                return;
            }
            context.loop().schedule(retryNanos, () -> {
                if (isLatest()) {
                    send(confirmed);
                }
            });
            retryNanos = Math.min(RETRY_NANOS_MAX, retryNanos * 2);
        }

        private boolean isLatest() {
            return round == this && source.idleConfirmed() == confirmed;
        }
    }
}
