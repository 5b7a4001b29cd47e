// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.bookies.ReadListener;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.Fragment;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Asks the members of an ensemble for the last add confirmed that they know, until every write set is covered or all have answered that will.
 *
 * <p><i>Threading:</i> confined to its reader's loop.
 */
final class ConfirmedQuery {
    private final WriteSets writeSets;
    private final Listener listener;
    private int answered;
    private int missing;
    private boolean isDone;

    private ConfirmedQuery(WriteSets writeSets, Fragment fragment, Listener listener) {
        this.writeSets = writeSets;
        this.listener = listener;
        this.missing = fragment.ensemble().size();
    }

    /** Told what the bookies say. */
    interface Listener {
        /** One bookie knows this last add confirmed. */
        void confirmed(long lastAddConfirmed);

        /** Called once; {@code isEnough} says whether those that have answered are enough ({@link WriteSets#canTellConfirmed}). */
        void done(boolean isEnough);
    }

    /** Begins. */
    static void start(HandleContext context, long ledgerId, WriteSets writeSets, Fragment fragment, Listener listener) {
        ConfirmedQuery query = new ConfirmedQuery(writeSets, fragment, listener);
        List<BookieId> ensemble = fragment.ensemble();
        int timeoutMillis = context.timeouts().readMillis();
        // No entry has this id: the answer carries nothing but the last add confirmed.
        ReadRequest request = new ReadRequest(0, ledgerId, Long.MAX_VALUE - 1, 1, 0, 0, 0, timeoutMillis);
        for (int slot = 0; slot < ensemble.size(); slot++) {
            context.links().readUrgently(ensemble.get(slot), request, query.new Question(slot));
        }
    }

    private void onAnswer(int slot, ReadAnswer answer) {
        missing--;
        listener.confirmed(answer.lastAddConfirmed());
        if (answer.status() == StatusCode.OK || answer.status().isProofOfAbsence()) {
            answered |= 1 << slot;
        }
        if (!isDone && (missing == 0 || writeSets.coversEveryWriteSet(answered))) {
            isDone = true;
            listener.done(writeSets.canTellConfirmed(answered));
        }
    }

    /** What one member is asked; nobody wants its answer once the others have told enough. */
    private final class Question implements ReadListener {
        private final int slot;

        Question(int slot) {
            this.slot = slot;
        }

        @Override
        public void answered(ReadAnswer answer, ByteBuf frame) {
            onAnswer(slot, answer);
        }

        @Override
        public boolean isWanted() {
            return !isDone;
        }
    }
}
