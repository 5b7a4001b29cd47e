// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.daybook.ledger.handle.Timeouts;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import java.util.List;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over the members of a writer's ensemble: finds those that fail or fall silent, has them replaced when there are spares, and tries them again
 * when there are none. A busy member is left alone.
 *
 * <p><i>Threading:</i> confined to its owner's loop.
 */
final class MemberCare {
    private static final Logger LOG = LoggerFactory.getLogger(MemberCare.class);
    private static final long RETRY_NANOS_MIN = 100_000_000L;
    private static final long RETRY_NANOS_MAX = 2_000_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final Members members;
    private final Runnable onFailed;
    private final IntConsumer onRevived;
    private final Runnable onBookiesChanged = this::check;
    private boolean isListening;
    private boolean isCheckDue;
    private boolean isStopped;
    private long retryAtNanos;
    private long retryNanos = RETRY_NANOS_MIN;

    /**
     * For these members.
     *
     * @param onFailed called, never from inside a call, when members have failed and it is time to look for replacements
     * @param onRevived called with the slot of a member that is tried again
     */
    MemberCare(HandleContext context, long ledgerId, Members members, Runnable onFailed, IntConsumer onRevived) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.members = members;
        this.onFailed = onFailed;
        this.onRevived = onRevived;
    }

    /** The member cannot take entries now. */
    void fail(int slot, StatusCode why) {
        if (members.isFailed(slot)) {
            return;
        }
        if (members.failedSlots() == 0) {
            later();
        }
        LOG.debug(
                "ledger={} bookie={} state=FAILED status={}",
                ledgerId,
                members.bookie(slot).shortText(),
                why);
        members.fail(slot);
        context.placement().failed(members.bookie(slot), context.loop().nanoTime());
        if (!isListening) {
            isListening = true;
            context.bookies().addListener(onBookiesChanged);
        }
        check();
    }

    /** Looks for replacements soon, when any member has failed. */
    void check() {
        if (members.failedSlots() == 0) {
            retryNanos = RETRY_NANOS_MIN;
            stopListening();
        } else if (!isCheckDue) {
            isCheckDue = true;
            context.loop().execute(() -> {
                isCheckDue = false;
                if (!isStopped && members.failedSlots() != 0) {
                    onFailed.run();
                }
            });
        }
    }

    /** Spare bookies for the failed members, as many as there are; when there are none the members are tried again later. */
    List<BookieId> replacements() {
        List<BookieId> spares = context.choose(members.all(), Integer.bitCount(members.failedSlots()));
        if (spares.isEmpty()) {
            context.faults().reached(Situations.NO_SPARE);
        }
        return spares;
    }

    /** Puts off the next attempt. */
    void later() {
        retryAtNanos = context.loop().nanoTime() + retryNanos;
        retryNanos = Math.min(RETRY_NANOS_MAX, retryNanos * 2);
    }

    /** Looks at the time; returns whether there is anything to watch. */
    boolean tick(long nowNanos) {
        boolean watching = false;
        boolean retry = members.failedSlots() != 0 && nowNanos - retryAtNanos >= 0;
        for (int slot = 0; slot < members.size(); slot++) {
            if (members.isFailed(slot)) {
                watching = true;
                if (retry && !members.isProbed(slot)) {
                    probeFailed(slot);
                }
            } else if (members.owes(slot)) {
                watching = true;
                checkSilence(slot, nowNanos);
            }
        }
        if (retry) {
            later();
            check();
        }
        return watching;
    }

    /** The writer has ended. */
    void stop() {
        isStopped = true;
        stopListening();
    }

    private void stopListening() {
        if (isListening) {
            isListening = false;
            context.bookies().removeListener(onBookiesChanged);
        }
    }

    private void checkSilence(int slot, long nowNanos) {
        if (members.stuckNanos(slot, nowNanos) >= context.timeouts().add() / 2) {
            fail(slot, StatusCode.TIMEOUT);
        } else if (!members.isProbed(slot)
                && members.silentNanos(slot, nowNanos) >= context.timeouts().silence() / 2) {
            members.probing(slot);
            probe(slot, () -> members.alive(slot, context.loop().nanoTime()), () -> {
                context.links().resetAppends(members.bookie(slot), "no sign of life");
                fail(slot, StatusCode.TIMEOUT);
            });
        }
    }

    private void probeFailed(int slot) {
        members.probing(slot);
        probe(
                slot,
                () -> {
                    members.revive(slot);
                    onRevived.accept(slot);
                },
                () -> members.unprobed(slot));
    }

    private void probe(int slot, Runnable alive, Runnable dead) {
        BookieId bookie = members.bookie(slot);
        int timeoutMillis = Timeouts.millis(context.timeouts().silence() / 2);
        context.links().probe(bookie, ledgerId, timeoutMillis, isAlive -> {
            if (!isStopped && members.isProbed(slot) && members.bookie(slot).equals(bookie)) {
                (isAlive ? alive : dead).run();
            }
        });
    }
}
