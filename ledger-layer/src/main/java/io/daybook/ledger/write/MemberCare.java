// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.daybook.ledger.handle.Timeouts;
import io.daybook.ledger.placement.Choice;
import io.daybook.ledger.placement.Seats;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import java.util.List;
import java.util.Optional;
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
    private final Quorums quorums;
    private final Members members;
    private final Owner owner;
    private final Runnable onBookiesChanged = this::check;
    private String shortage = "";
    private boolean isListening;
    private boolean isCheckDue;
    private boolean isStopped;
    private long retryAtNanos;
    private long retryNanos = RETRY_NANOS_MIN;

    /**
     * For these members.
     *
     * @param owner told what happens to them
     */
    MemberCare(HandleContext context, LedgerMetadata ledger, Members members, Owner owner) {
        this.context = context;
        this.ledgerId = ledger.ledgerId();
        this.quorums = ledger.quorums();
        this.members = members;
        this.owner = owner;
    }

    /** Who writes to the members. */
    interface Owner {
        /** Members have failed and it is time to look for replacements; never called from inside a call. */
        void memberFailed();

        /** The member in this slot is tried again. */
        void memberRevived(int slot);

        /** Whether the member in this slot has not acknowledged an entry that is pending. */
        boolean isLacking(int slot);

        /** Whether anything waits for room. */
        boolean isHeldUp();

        /** Whether the oldest entry is late, and would be acknowledged if only the member in this slot had it. */
        boolean waitsOnlyFor(int slot);

        /** Whether every entry of the member in this slot can be acknowledged by members among {@code others}. */
        boolean isSpared(int slot, int others);
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

    /** The member cannot take what others can; false, with nothing done, when those do not suffice. */
    boolean tryFail(int slot, StatusCode why) {
        boolean isSpared = owner.isSpared(slot, ~members.failedSlots() & ~(1 << slot));
        if (isSpared) {
            fail(slot, why);
        }
        return isSpared;
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
                    owner.memberFailed();
                }
            });
        }
    }

    /**
     * The ensemble with failed members replaced, as many as there are spares for; when there are none the members are tried again later. A ledger of very many fragments goes
     * on with the members it has, as if there were none (S-30).
     */
    Optional<List<BookieId>> replacement(LedgerMetadata ledger) {
        if (ledger.fragments().size() >= Limits.FRAGMENTS_MAX) {
            shortage = "the ledger has " + ledger.fragments().size() + " fragments, as many as it may have";
            return Optional.empty();
        }
        Choice choice = context.choose(Seats.replacing(quorums, members.all(), members.failedSlots()), members.all());
        shortage = choice.shortage();
        if (choice.chosen() == 0) {
            context.faults().reached(Situations.NO_SPARE);
            return Optional.empty();
        }
        return Optional.of(choice.ensemble());
    }

    /** Why members that have failed were not replaced, for a message; empty when none has. */
    String shortage() {
        return members.failedSlots() == 0 ? "" : shortage;
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
                if (retry) {
                    retry(slot);
                }
            } else if (owes(slot, nowNanos)) {
                watching = true;
                checkSilence(slot, nowNanos);
            }
            if (!members.isFailed(slot)) {
                watching |= checkLag(slot, nowNanos);
            }
        }
        if (retry) {
            later();
            check();
        }
        return watching;
    }

    /** Whether the member in this slot owes answers. Those that came twice, for what was sent twice, were counted for others. */
    boolean owes(int slot, long nowNanos) {
        members.lacks(slot, owner.isLacking(slot), nowNanos);
        return members.owes(slot);
    }

    /** Whether a member has so much to take that the writer must wait for it. */
    boolean holdsBack() {
        if (!context.links().held().isAnyLinkFull()) {
            return false;
        }
        for (int slot = 0; slot < members.size(); slot++) {
            if (isFull(slot)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gives up members that were given up before for being slow, and are slow again. When the others do not keep up at the moment they stay, and hold the
     * writer back like any other.
     */
    void failSlowAgain() {
        if (!context.links().held().isAnyLinkFull()) {
            return;
        }
        for (int slot = 0; slot < members.size(); slot++) {
            if (isFull(slot) && members.isOnProbation(slot) && owner.isSpared(slot, othersThatKeepUp(slot))) {
                fail(slot, StatusCode.BUSY);
            }
        }
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
            giveUp(slot);
        } else if (!members.isProbed(slot)
                && members.silentNanos(slot, nowNanos) >= context.timeouts().silence() / 2) {
            members.probing(slot);
            int timeoutMillis = Timeouts.millis(context.timeouts().silence() / 2);
            probe(slot, timeoutMillis, () -> members.alive(slot, context.loop().nanoTime()), () -> {
                members.unprobed(slot);
                // An acknowledgement that came meanwhile is a sign of life too.
                if (members.silentNanos(slot, context.loop().nanoTime())
                        >= context.timeouts().silence() / 2) {
                    giveUp(slot);
                }
            });
        }
    }

    private boolean isFull(int slot) {
        return !members.isFailed(slot) && context.links().isFull(members.bookie(slot));
    }

    /**
     * Decision 0009: a member that does not take what it is sent slows the writer down; but when it alone does so for long, and the others keep up although
     * the writer wants more, it is not overload but the member, which is given up.
     */
    private boolean checkLag(int slot, long nowNanos) {
        long lag = context.timeouts().lag();
        boolean isWaitedFor = owner.waitsOnlyFor(slot);
        if (!isWaitedFor && !isFull(slot)) {
            members.holdsUp(slot, false, nowNanos);
            if (members.isOnProbation(slot) && members.revivedNanos(slot, nowNanos) >= lag) {
                members.trusted(slot);
            }
            return members.isOnProbation(slot);
        }
        // What the others were sent in the same moment must have had time to leave.
        boolean hadTime = isWaitedFor || context.links().fullNanos(members.bookie(slot)) >= lag / 4;
        int others = othersThatKeepUp(slot);
        boolean isAlone =
                owner.isHeldUp() && hadTime && Integer.bitCount(others | members.failedSlots()) == members.size() - 1;
        long aloneNanos = members.holdsUp(slot, isAlone, nowNanos);
        if (aloneNanos >= lag - lag / 4 && (owner.isSpared(slot, others) || hasSpare(slot))) {
            LOG.info(
                    "ledger={} bookie={} state=TOO_SLOW held={}: the writer goes on without it",
                    ledgerId,
                    members.bookie(slot).shortText(),
                    context.links().heldBytes(members.bookie(slot)));
            context.faults().reached(Situations.MEMBER_TOO_SLOW);
            members.onProbation(slot);
            fail(slot, StatusCode.BUSY);
        }
        return true;
    }

    private boolean hasSpare(int slot) {
        return context.choose(Seats.replacing(quorums, members.all(), 1 << slot), members.all())
                        .chosen()
                > 0;
    }

    private int othersThatKeepUp(int slot) {
        int others = 0;
        for (int other = 0; other < members.size(); other++) {
            boolean counts =
                    other != slot && !members.isFailed(other) && context.links().keepsUp(members.bookie(other));
            others |= counts ? 1 << other : 0;
        }
        return others;
    }

    private void giveUp(int slot) {
        context.links().doubtAppends(members.bookie(slot), "no sign of life");
        fail(slot, StatusCode.TIMEOUT);
    }

    /**
     * One that does not take what was sent to it long ago has not recovered, however well it is; if nothing comes from it at all its link is given up.
     */
    private void retry(int slot) {
        if (context.links().isFull(members.bookie(slot))) {
            context.links().doubtAppends(members.bookie(slot), "it takes nothing");
        } else if (!members.isProbed(slot)) {
            probeFailed(slot);
        }
    }

    /** Nothing is lost by waiting longer for a member that has failed: it may be well but slow. */
    private void probeFailed(int slot) {
        members.probing(slot);
        probe(
                slot,
                context.timeouts().readMillis(),
                () -> {
                    if (isUnwelcome(slot)) {
                        members.unprobed(slot);
                        return;
                    }
                    members.revive(slot, context.loop().nanoTime());
                    if (members.failedSlots() == 0) {
                        retryNanos = RETRY_NANOS_MIN;
                    }
                    owner.memberRevived(slot);
                },
                () -> members.unprobed(slot));
    }

    /**
     * Whether it was given up for being slow and is better left alone while the others lag too: it could not be given up again at once, and would get all
     * that is pending beyond its bound.
     */
    private boolean isUnwelcome(int slot) {
        return members.isOnProbation(slot)
                && owner.isSpared(slot, ~members.failedSlots())
                && !owner.isSpared(slot, othersThatKeepUp(slot));
    }

    private void probe(int slot, int timeoutMillis, Runnable alive, Runnable dead) {
        BookieId bookie = members.bookie(slot);
        context.links().probe(bookie, ledgerId, timeoutMillis, isAlive -> {
            if (!isStopped && members.isProbed(slot) && members.bookie(slot).equals(bookie)) {
                (isAlive ? alive : dead).run();
            }
        });
    }
}
