// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.metadata.model.StreamSettings.TransactionIdMode;
import io.daybook.stream.DLSN;
import io.daybook.stream.core.record.RecordBytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How the transaction ids of a stream follow each other (S8), and which records are still on their way (S9).
 *
 * <p><i>Threading:</i> the loop of the writer.
 */
final class TransactionIdRule {
    /** What is to be done with an append. */
    enum Verdict {
        /** It follows: store it. */
        STORE,
        /** All its ids are at most the last one taken: it may be stored already. */
        RESENT,
        /** It does not follow. */
        OUT_OF_ORDER
    }

    private record OnItsWay(PendingAppend append, int index) {}

    private final TransactionIdMode mode;
    private final Map<Long, OnItsWay> onTheirWay = new HashMap<>();
    private long lastTaken;

    TransactionIdRule(TransactionIdMode mode, long lastStored) {
        this.mode = mode;
        this.lastTaken = lastStored;
    }

    /** The id of the last record that was taken, stored or not. */
    long lastTaken() {
        return lastTaken;
    }

    Verdict check(PendingAppend append) {
        if (!risesWithin(append.records())) {
            return Verdict.OUT_OF_ORDER;
        }
        boolean isStrict = mode == TransactionIdMode.STRICT;
        if (append.firstTransactionId() > lastTaken || (!isStrict && append.firstTransactionId() == lastTaken)) {
            return Verdict.STORE;
        }
        return isStrict && append.lastTransactionId() <= lastTaken ? Verdict.RESENT : Verdict.OUT_OF_ORDER;
    }

    private boolean risesWithin(List<RecordBytes> records) {
        for (int i = 1; i < records.size(); i++) {
            long step = records.get(i).transactionId() - records.get(i - 1).transactionId();
            if (step < 0 || (step == 0 && mode == TransactionIdMode.STRICT)) {
                return false;
            }
        }
        return true;
    }

    /** The append will be stored. */
    void taken(PendingAppend append) {
        lastTaken = append.lastTransactionId();
        if (mode == TransactionIdMode.STRICT) {
            for (int i = 0; i < append.records().size(); i++) {
                onTheirWay.put(append.records().get(i).transactionId(), new OnItsWay(append, i));
            }
        }
    }

    /** The append is stored, or failed. */
    void settled(PendingAppend append) {
        if (mode == TransactionIdMode.STRICT) {
            append.records().forEach(record -> onTheirWay.remove(record.transactionId()));
        }
    }

    /** Where the record with that id will be, when it is on its way. */
    Optional<CompletableFuture<DLSN>> positionOnItsWay(long transactionId) {
        return Optional.ofNullable(onTheirWay.get(transactionId))
                .map(found -> found.append().positionOf(found.index()));
    }
}
