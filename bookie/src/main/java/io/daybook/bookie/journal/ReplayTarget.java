// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import java.nio.ByteBuffer;

/** Takes what a replay finds, in the order in which it was staged. */
public interface ReplayTarget {
    /** A journal file begins. The image may be read until {@link #fileEnds}. */
    void fileBegins(int incarnation, ByteBuffer image);

    /** An entry stands at {@code offset} of the image; the four bytes before it are its length. */
    void entry(int offset);

    /** A ledger was fenced. */
    void fence(long ledgerId);

    /** Limbo of a ledger began or ended, for the {@code limbo}th time. */
    void limbo(long ledgerId, int limbo);

    /** A last add confirmed was published. */
    void published(long ledgerId, long lastAddConfirmed);

    /** Everything told of a ledger so far was given up. */
    void buried(long ledgerId);

    /** The journal file ends; its last record is the one before {@code nextSequence}. When this returns, everything of it must be durable elsewhere or be told again by the next replay. */
    void fileEnds(long nextSequence);
}
