// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Gives transaction ids to records that bring none. */
final class TransactionIds {
    /** How. */
    enum Rule {
        /** One more than the one before. */
        sequence,
        /** Wall-clock milliseconds, but never less than the one before. */
        time
    }

    private final Rule rule;
    private final LongSupplier wallMillis;
    private long last;

    /** {@code last} is the id of the last record that is stored; {@code wallMillis} is a clock that may be set back. */
    TransactionIds(Rule rule, long last, LongSupplier wallMillis) {
        this.rule = rule;
        this.wallMillis = wallMillis;
        this.last = last;
    }

    /** The id of the next record, which may bring its own. */
    long next(OptionalLong own) {
        if (own.isPresent()) {
            last = Math.max(last, own.getAsLong());
            return own.getAsLong();
        }
        last = rule == Rule.sequence ? last + 1 : Math.max(last, wallMillis.getAsLong());
        return last;
    }
}
