// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import java.util.List;

/**
 * One call of a client on a ledger or a stream, from its invocation to its end.
 *
 * @param process who called: one process, or one handle of it
 * @param endedNanos when it ended; meaningless while the result is {@link Result#PENDING}
 * @param ledgerId the ledger, -1 when the call failed before there was one and for calls on streams
 * @param detail what was asked and what came of it
 */
public record Call(String process, long invokedNanos, long endedNanos, Result result, long ledgerId, Detail detail) {
    /** How a call ended. */
    public enum Result {
        /** It has not. */
        PENDING,
        /** It did what it was asked. */
        OK,
        /** It did nothing and never will. */
        FAILED,
        /** It may have done it. */
        UNKNOWN
    }

    /** What a call was about. */
    public sealed interface Detail
            permits Append, Read, Peek, Deletion, Closing, Fencing, FinalLog, Copies, StreamDetail {}

    /** An append; {@code entryId} is -1 unless it is OK. */
    public record Append(Value value, long entryId) implements Detail {}

    /**
     * A read.
     *
     * @param wantedEntryId the first entry asked for
     * @param firstEntryId the first entry returned
     * @param values the entries returned, consecutive from {@code firstEntryId} on
     * @param lastAddConfirmed what the handle knew as confirmed afterwards, -1 for nothing
     */
    public record Read(long wantedEntryId, long firstEntryId, List<Value> values, long lastAddConfirmed)
            implements Detail {
        /** Copies the list. */
        public Read {
            values = List.copyOf(values);
        }

        /** What was asked, before the answer. */
        public static Read wanting(long entryId) {
            return new Read(entryId, entryId, List.of(), -1);
        }
    }

    /** A look beyond what is confirmed: such entries may still vanish, but what they hold never changes. */
    public record Peek(long firstEntryId, List<Value> values) implements Detail {
        /** Copies the list. */
        public Peek {
            values = List.copyOf(values);
        }
    }

    /** A deletion of the ledger. */
    public record Deletion() implements Detail {}

    /** A recovery or close; {@code lastEntryId} is the end it found, -1 for an empty ledger or when it is not OK. */
    public record Closing(boolean isRecovery, long lastEntryId) implements Detail {}

    /** A fence: it stops the writer and decides no end. */
    public record Fencing() implements Detail {}

    /** The whole of a closed ledger, read after everything else: entries 0 to the end. */
    public record FinalLog(List<Value> values) implements Detail {
        /** Copies the list. */
        public FinalLog {
            values = List.copyOf(values);
        }
    }

    /** How many sound copies of an entry bookies were found to hold, of those that must. */
    public record Copies(long entryId, int found, int needed) implements Detail {}
}
