// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a call on a stream was about. A reader and a writer handle are processes of their own. */
public sealed interface StreamDetail extends Call.Detail {
    /** The name of the stream. A name may be used again after a deletion: positions of its streams never mean two records (S14). */
    String stream();

    /**
     * A record as somebody appended or saw it.
     *
     * @param position null while it is not known
     */
    record Seen(Value value, long transactionId, @Nullable DLSN position) {}

    /**
     * The stream was created.
     *
     * @param strict whether every transaction id must be greater than the one before
     * @param first the number of its first segment ever; 0 where that is not told
     */
    record Created(String stream, boolean strict, long first) implements StreamDetail {
        /** Of a stream whose first number is not told. */
        public Created(String stream, boolean strict) {
            this(stream, strict, 0);
        }
    }

    /**
     * A writer was opened: from its end on, those opened before it are fenced.
     *
     * @param lastTransactionId what it was told as the last one, -1 for none
     */
    record OpenWriter(String stream, long lastTransactionId) implements StreamDetail {}

    /** One record appended, or several as one; positions are there when the result is OK. */
    record Appends(String stream, List<Seen> records) implements StreamDetail {
        /** Copies the list. */
        public Appends {
            records = List.copyOf(records);
        }
    }

    /** How a poll of a reader ended. */
    enum Found {
        /** With records, or with none in the time given. */
        RECORDS,
        /** Every record was read and none will follow. */
        ENDED,
        /** The position is truncated. */
        TRUNCATED,
        /** The position is of a stream of that name that was deleted, or of this one when it had the name before. */
        FOREIGN
    }

    /**
     * A poll of a reader.
     *
     * @param start where the reader was opened, for its first poll; null for those that follow
     */
    record Poll(String stream, @Nullable StartPosition start, List<Seen> records, Found found) implements StreamDetail {
        /** Copies the list. */
        public Poll {
            records = List.copyOf(records);
        }
    }

    /** The stream was asked for its last record; {@link DLSN#BEFORE_ALL} for none. */
    record Last(String stream, DLSN position) implements StreamDetail {}

    /** The stream was sealed. */
    record Seal(String stream) implements StreamDetail {}

    /** Everything before {@code position} was truncated. */
    record Truncate(String stream, DLSN position) implements StreamDetail {}

    /** The stream was deleted, or was not there any more: at some moment of the call there was none of that name. */
    record Delete(String stream) implements StreamDetail {}

    /**
     * The stream was given another name, at some moment of the call.
     *
     * @param stream the name before
     * @param newName the name from then on
     * @param shift by how much the numbers of its segments rose
     * @param first the number of its first segment ever, under the new name
     */
    record Rename(String stream, String newName, long shift, long first) implements StreamDetail {}

    /**
     * Somebody was told how a position under a name that the stream has left is told under the one that it has.
     *
     * @param stream the name before
     */
    record Translate(String stream, DLSN position, String newName, DLSN newPosition) implements StreamDetail {}

    /**
     * The whole stream, read after everything else.
     *
     * @param truncatedTo where the stream begins according to itself; {@link DLSN#BEFORE_ALL} when nothing is truncated
     */
    record FinalStream(String stream, DLSN truncatedTo, List<Seen> records) implements StreamDetail {
        /** Copies the list. */
        public FinalStream {
            records = List.copyOf(records);
        }
    }
}
