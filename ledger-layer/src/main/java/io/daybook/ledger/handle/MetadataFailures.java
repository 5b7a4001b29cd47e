// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;

/** Failures of the metadata store, in the words of the ledger layer. */
public final class MetadataFailures {
    private MetadataFailures() {}

    /** What is known after a failure; {@link Code#DENIED} (nothing was changed, trying again is useless) for one that is not the store's. */
    public static Code codeOf(Throwable failure) {
        return failure instanceof MetadataException metadata ? metadata.code() : Code.DENIED;
    }

    /** The failure of a call on a ledger; a negative id stands for a call that names none. */
    public static LedgerException translate(long ledgerId, Throwable failure, Outcome outcome) {
        if (!(failure instanceof MetadataException metadata)) {
            return new LedgerException.Bug(
                    "ledger " + ledgerId
                            + ": its metadata, or what followed from them, failed in a way that is not declared",
                    outcome,
                    failure);
        }
        if (metadata.code() == Code.NOT_FOUND) {
            return new LedgerException.LedgerGone(
                    "there is no ledger " + ledgerId + ": it never existed or was deleted", outcome);
        }
        String what = ledgerId < 0 ? "the metadata store" : "the metadata of ledger " + ledgerId;
        String message = what + " could not be used: " + metadata.getMessage();
        return new LedgerException.MetadataFailed(message, outcome, metadata.isRetryable(), metadata);
    }
}
