// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

/**
 * Something of a bookie's files that is not as it was written.
 *
 * @param position in the entry log where its first damaged record stands; -1 when none does
 * @param ledgerId of the entries that cannot be read; -1 when no entry is concerned
 * @param count of those entries, from {@code firstEntryId} on
 */
public record Damage(Kind kind, int logId, long position, long ledgerId, long firstEntryId, int count) {
    /** What is damaged. */
    public enum Kind {
        /** Entries that count: reads of them are answered "corrupt" or "cannot know". */
        ENTRIES(0),
        /** Records of the entry log, none of which is an entry that counts. */
        RECORDS(1),
        /** The entry log: it is missing or cannot be read. */
        LOG(2),
        /** The index file: the next start makes it again from the log. */
        INDEX(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** As it is written in files. */
        int code() {
            return code;
        }

        /** The kind of a code; throws {@link IllegalArgumentException} when there is none. */
        static Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("there is no kind of damage " + code);
        }
    }

    /** Without entries. */
    static Damage of(Kind kind, int logId, long position) {
        return new Damage(kind, logId, position, -1, -1, 0);
    }
}
