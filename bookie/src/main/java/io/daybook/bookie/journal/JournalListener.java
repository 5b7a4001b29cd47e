// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

/** What journals tell their owner, on the core loop. */
public interface JournalListener {
    /** Nothing will be added to the segment and all of it is durable: it can be flushed, and then {@link Journals#release released}. */
    void readyToFlush(JournalSegment segment);

    /** There is room again in the journal of that number, after something was refused for lack of it. */
    void roomAgain(int journal);

    /** A write failed. What the device holds is unknown; nothing more is or will be acknowledged (B10). */
    void failed(String reason);
}
