// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

/** Which part of the room for answers a read takes: readers of old entries, however many and however slow, leave room to those at the tail. */
public enum AnswerShare {
    /** Reads answered from the slabs, and those that fence: recovery waits for them. */
    TAIL,
    /** All others that are answered from flushed files. */
    CATCH_UP
}
