// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import java.util.List;

/** An entry that was handed to the ledger, with the appends in it. */
final class EntryInFlight implements LedgerWriter.AppendListener {
    private final WriterMachine machine;
    private final List<PendingAppend> appends;
    private final int records;

    EntryInFlight(WriterMachine machine, List<PendingAppend> appends, int records) {
        this.machine = machine;
        this.appends = appends;
        this.records = records;
    }

    List<PendingAppend> appends() {
        return appends;
    }

    int records() {
        return records;
    }

    long firstTransactionId() {
        return appends.get(0).firstTransactionId();
    }

    long lastTransactionId() {
        return appends.get(appends.size() - 1).lastTransactionId();
    }

    @Override
    public void appended(long entryId) {
        machine.onStored(this, entryId);
    }

    @Override
    public void failed(LedgerException failure) {
        machine.onNotStored(this, failure);
    }
}
