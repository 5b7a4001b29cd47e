// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.LedgerException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A call on the client ends once, whatever happens on its way. */
final class PendingCallTest {
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private final List<PendingCall<?>> ended = new ArrayList<>();
    private final PendingCall<String> call = new PendingCall<>(outcome, ended::add);

    @Test
    void aPartThatThrowsEndsTheCallAndIsStillSeenByTheLoop() { // V7
        IllegalStateException bug = new IllegalStateException("a bug of the client");

        assertThatThrownBy(() -> call.attempt(() -> {
                    throw bug;
                }))
                .isSameAs(bug);

        assertThat(ended).containsExactly(call);
        assertThatThrownBy(outcome::join)
                .hasCauseInstanceOf(LedgerException.Bug.class)
                .hasRootCause(bug);
    }

    @Test
    void whatComesAfterTheEndIsRefused() {
        assertThat(call.succeed("first")).isTrue();

        assertThat(call.succeed("second")).isFalse();
        assertThat(outcome).isCompletedWithValue("first");
    }
}
