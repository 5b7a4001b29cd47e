// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Timer;

/** A read that is held until its first entry can be answered. On the core loop. */
final class TailWaiter {
    final Ledger ledger;
    final ReadRequest request;
    final ReadOwner owner;
    Timer timer = () -> {};

    TailWaiter(Ledger ledger, ReadRequest request, ReadOwner owner) {
        this.ledger = ledger;
        this.request = request;
        this.owner = owner;
    }
}
