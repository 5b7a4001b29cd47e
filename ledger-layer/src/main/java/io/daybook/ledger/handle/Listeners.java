// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.DamageListener;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.EventLoop;

/**
 * Tells the listeners of callers. What one throws ends nothing but its own call: it is thrown again in a turn of its own, where the host hears of it as of
 * any task that fails.
 *
 * <p><i>Threading:</i> confined to its loop.
 */
public final class Listeners {
    private final EventLoop loop;

    /** Of one loop. */
    public Listeners(EventLoop loop) {
        this.loop = loop;
    }

    /** The entry was taken. */
    public void accepted(AppendListener listener, long entryId) {
        try {
            listener.accepted(entryId);
        } catch (RuntimeException | Error thrown) {
            throwLater(thrown);
        }
    }

    /** The entry was acknowledged. */
    public void appended(AppendListener listener, long entryId) {
        try {
            listener.appended(entryId);
        } catch (RuntimeException | Error thrown) {
            throwLater(thrown);
        }
    }

    /** The append failed. */
    public void failed(AppendListener listener, LedgerException failure) {
        try {
            listener.failed(failure);
        } catch (RuntimeException | Error thrown) {
            throwLater(thrown);
        }
    }

    /** A copy is damaged. */
    public void damaged(DamageListener listener, long ledgerId, long entryId, BookieId bookie) {
        try {
            listener.damaged(ledgerId, entryId, bookie);
        } catch (RuntimeException | Error thrown) {
            throwLater(thrown);
        }
    }

    private void throwLater(Throwable thrown) {
        loop.execute(() -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        });
    }
}
