// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

/** Situations of streams that programs notice and that runs should reach. */
public final class StreamSituations {
    /** A record was acknowledged by a stream that was made under the name of a deleted one. */
    public static final String MADE_AGAIN = "stream-made-again";
    /** An append failed of a writer whose stream somebody deletes or has deleted. */
    public static final String DELETED_UNDER_WRITER = "stream-deleted-under-writer";
    /** A reader was told that its stream is gone. */
    public static final String DELETED_UNDER_READER = "stream-deleted-under-reader";
    /** A position of a deleted stream was refused by the one that has its name now. */
    public static final String FOREIGN_POSITION = "foreign-position-refused";
    /** A subscription of a deleted stream was not there in the one that has its name now. */
    public static final String SUBSCRIPTION_GONE = "subscription-of-deleted-stream";
    /** A maintainer finished a deletion that was cut short. */
    public static final String DELETION_FINISHED = "maintainer-finished-deletion";
    /** A stream got a name that it had had before. */
    public static final String RENAMED_BACK = "stream-renamed-back";
    /** An append failed of a writer whose stream has left the name. */
    public static final String RENAMED_UNDER_WRITER = "stream-renamed-under-writer";
    /** A reader was told that its stream has another name. */
    public static final String RENAMED_UNDER_READER = "stream-renamed-under-reader";
    /** A commit failed of the reader of a subscription whose stream has another name. */
    public static final String RENAMED_UNDER_SUBSCRIPTION = "stream-renamed-under-subscription";
    /** A position that a stream had under a name was refused when it had that name again. */
    public static final String OLD_POSITION = "position-of-earlier-time-refused";
    /** A rename was told that there is no stream, because it was deleted meanwhile. */
    public static final String RENAME_MET_DELETION = "stream-rename-lost-to-deletion";
    /** A deletion took nothing away, because the stream got another name meanwhile. */
    public static final String DELETION_MET_RENAME = "stream-deletion-lost-to-rename";
    /** A stream got a name that one had before that was deleted. */
    public static final String NAME_OF_DELETED_TAKEN = "stream-renamed-to-name-of-deleted";
    /** A stream was made under a name that another one has left. */
    public static final String MADE_WHERE_LEFT = "stream-made-where-another-left";
    /** Whoever gave a stream another name does not know whether it has it. */
    public static final String RENAME_UNKNOWN = "stream-rename-unknown";
    /** A maintainer deleted a ledger that belonged to no stream. */
    public static final String ORPHAN_DELETED = "maintainer-deleted-orphan";

    /** A reader that began at the end, while somebody wrote, has read what came then. */
    public static final String READ_FROM_LATEST = "stream-read-from-latest";
    /** A reader that began at a transaction id has read. */
    public static final String READ_FROM_TRANSACTION_ID = "stream-read-from-transaction-id";
    /** A reader that began at a time has read. */
    public static final String READ_FROM_TIME = "stream-read-from-time";
    /** A flush ended while appends were made before it. */
    public static final String FLUSHED = "stream-flushed";
    /** Retention truncated a stream for its age. */
    public static final String RETAINED_BY_AGE = "stream-retained-by-age";
    /** Retention truncated a stream for its size. */
    public static final String RETAINED_BY_SIZE = "stream-retained-by-size";
    /** A segment was completed for its age, with room for more. */
    public static final String ROLLED_BY_AGE = "stream-segment-rolled-by-age";
    /** The options of a stream were changed. */
    public static final String OPTIONS_CHANGED = "stream-options-changed";

    private StreamSituations() {}
}
