// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call on the client that is not answered yet. It ends exactly once.
 *
 * <p><i>Threading:</i> confined to the loop of the call; the outcome belongs to the caller.
 */
final class PendingCall<T> {
    private final CompletableFuture<T> outcome;
    private final Consumer<PendingCall<?>> onEnd;

    PendingCall(CompletableFuture<T> outcome, Consumer<PendingCall<?>> onEnd) {
        this.outcome = outcome;
        this.onEnd = onEnd;
    }

    CompletableFuture<T> outcome() {
        return outcome;
    }

    boolean isEnded() {
        return outcome.isDone();
    }

    /** Runs a part of the call. When it throws, which is a bug, the caller is told too, who else would wait for ever (V7). */
    void attempt(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException bug) {
            fail(new LedgerException.Bug("a call on a ledger stopped half way", Outcome.UNKNOWN, bug));
            throw bug;
        }
    }

    /** Returns false when the call had ended before: its caller will never see {@code value}. */
    boolean succeed(@Nullable T value) {
        onEnd.accept(this);
        return outcome.complete(value);
    }

    void fail(LedgerException failure) {
        onEnd.accept(this);
        outcome.completeExceptionally(failure);
    }
}
