// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import java.util.OptionalLong;

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
    private long last;

    TransactionIds(Rule rule, long last) {
        this.rule = rule;
        this.last = last;
    }

    /** The id of the next record, which may bring its own. */
    long next(OptionalLong own) {
        if (own.isPresent()) {
            last = Math.max(last, own.getAsLong());
            return own.getAsLong();
        }
        last = rule == Rule.sequence ? last + 1 : Math.max(last, System.currentTimeMillis());
        return last;
    }
}
