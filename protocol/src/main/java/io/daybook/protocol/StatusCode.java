// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

/** What a bookie answers. The numbers travel on the wire and are never reused. */
public enum StatusCode {
    /** Done, and durable where the request changes something. */
    OK(0),
    /** A promise: this healthy bookie does not hold the entry, and after a fencing read never will by a normal add. */
    NO_ENTRY(1),
    /** A promise: this healthy bookie holds nothing of the ledger. */
    NO_LEDGER(2),
    /** The ledger is fenced: normal adds are refused for ever. */
    FENCED(3),
    /** The bookie holds the entry but its bytes fail their check. Says nothing about whether the entry exists. */
    CORRUPT(4),
    /** The bookie cannot know: still starting, in limbo, or unable to read. Says nothing about whether the entry exists. */
    UNKNOWN_STATE(5),
    /** The bookie takes no new entries. */
    READ_ONLY(6),
    /** Too much is in flight; try later. Never a reason to replace the bookie. */
    BUSY(7),
    /** The peer may not do this. */
    UNAUTHORIZED(8),
    /** The entry is larger than this bookie takes. */
    TOO_LARGE(9),
    /** The request makes no sense; a bug of the sender. */
    BAD_REQUEST(10),
    /** Another entry with the same id is already stored; the old bytes were kept. */
    CONFLICT(11),
    /** The link reached a bookie with another identity, or of another cluster. */
    WRONG_BOOKIE(12),
    /** The two ends share no protocol version. */
    VERSION_MISMATCH(13),
    /** No answer came within the deadline. Never sent: made by the requesting side. */
    TIMEOUT(14),
    /** The link was lost before an answer came, or could not be opened. Never sent: made by the requesting side. */
    DISCONNECTED(15),
    /** An add with deferred sync was taken, into memory only: a crash may lose it. OK follows when it is durable. */
    ACCEPTED(16);

    private static final StatusCode[] BY_NUMBER = values();

    private final int number;

    StatusCode(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The status of that number; {@link #UNKNOWN_STATE} for a number of a newer peer, which therefore decides nothing. */
    public static StatusCode of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN_STATE;
    }

    /** Whether this answer proves that the bookie does not hold the entry. Everything else that is not {@link #OK} proves nothing. */
    public boolean isProofOfAbsence() {
        return this == NO_ENTRY || this == NO_LEDGER;
    }
}
