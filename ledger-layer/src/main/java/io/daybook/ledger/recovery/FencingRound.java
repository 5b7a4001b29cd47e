// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.FenceAnswer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Fences the members of an ensemble until every write set is covered, so that the writer can reach no ack quorum any more (L5). Members that do not answer
 * are asked again until it is stopped.
 *
 * <p><i>Threading:</i> confined to its recovery's loop.
 */
final class FencingRound {
    private static final long RETRY_NANOS = 100_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final WriteSets writeSets;
    private final List<BookieId> ensemble;
    private final Consumer<Fenced> done;
    private int fencedSlots;
    private long lastAddConfirmed = Limits.NO_ENTRY_ID;
    private long lastEntryId = Limits.NO_ENTRY_ID;
    private boolean isEnded;

    FencingRound(
            HandleContext context, long ledgerId, WriteSets writeSets, List<BookieId> ensemble, Consumer<Fenced> done) {
        this.context = context;
        this.ledgerId = ledgerId;
        this.writeSets = writeSets;
        this.ensemble = ensemble;
        this.done = done;
    }

    /**
     * What the fenced bookies know.
     *
     * @param lastAddConfirmed the highest that one of them knows
     * @param lastEntryId the highest entry that one of them holds: only a hint how far to look
     */
    record Fenced(long lastAddConfirmed, long lastEntryId) {}

    /** Asks all members. */
    void start() {
        for (int slot = 0; slot < ensemble.size(); slot++) {
            fence(slot);
        }
    }

    /** Asks nobody any more. */
    void stop() {
        isEnded = true;
    }

    /** How far it has come, for a message. */
    String describe() {
        return Integer.bitCount(fencedSlots) + " of " + ensemble.size() + " bookies are fenced";
    }

    private void fence(int slot) {
        int timeoutMillis = context.timeouts().readMillis();
        context.links().fence(ensemble.get(slot), ledgerId, timeoutMillis, answer -> onAnswer(slot, answer));
    }

    private void onAnswer(int slot, FenceAnswer answer) {
        if (isEnded) {
            return;
        }
        if (answer.status() != StatusCode.OK) {
            context.loop().schedule(RETRY_NANOS, () -> {
                if (!isEnded) {
                    fence(slot);
                }
            });
            return;
        }
        fencedSlots |= 1 << slot;
        lastAddConfirmed = Math.max(lastAddConfirmed, answer.lastAddConfirmed());
        lastEntryId = Math.max(lastEntryId, answer.lastEntryId());
        if (writeSets.coversEveryWriteSet(fencedSlots)) {
            isEnded = true;
            done.accept(new Fenced(lastAddConfirmed, lastEntryId));
        }
    }
}
