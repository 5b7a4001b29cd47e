// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.runtime.EventLoop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bytes of adds that one loop holds for its writers: those that are not acknowledged yet are counted here, those that wait for a slow bookie at its
 * link. Whoever finds no room is called when there may be some again.
 *
 * <p><i>Threading:</i> confined to one loop, except {@link #bytes} and {@link #linkBytes()}.
 */
public final class HeldBytes {
    private final EventLoop loop;
    private final MemoryBounds bounds;
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private final Set<Runnable> holders = new LinkedHashSet<>();
    private int fullLinks;
    private boolean isTelling;
    private boolean isTellingHolders;
    private volatile long bytes;
    private volatile long linkBytes;

    HeldBytes(EventLoop loop, MemoryBounds bounds) {
        this.loop = loop;
        this.bounds = bounds;
    }

    /** The bounds that hold here. */
    public MemoryBounds bounds() {
        return bounds;
    }

    /** Unacknowledged bytes of all writers of this loop. From another thread it may lag. */
    public long bytes() {
        return bytes;
    }

    /** Bytes that wait for slow bookies to take them, as of the last tick. From any thread. */
    public long linkBytes() {
        return linkBytes;
    }

    /** Whether the writers together may begin further adds. */
    public boolean hasRoom() {
        return bytes < bounds.totalBytes();
    }

    /** Whether the writers together hold so much that others may have to wait: half of what they may. */
    public boolean isCrowded() {
        return bytes > bounds.totalBytes() / 2;
    }

    /** Whether any bookie does not take what is sent to it. */
    public boolean isAnyLinkFull() {
        return fullLinks > 0;
    }

    /** An add begins. */
    public void take(long addBytes) {
        boolean wasCrowded = isCrowded();
        long sum = bytes + addBytes;
        bytes = sum;
        if (!wasCrowded && isCrowded() && !isTellingHolders && !holders.isEmpty()) {
            isTellingHolders = true;
            loop.atEndOfTurn(this::tellHolders);
        }
    }

    private void tellHolders() {
        isTellingHolders = false;
        List.copyOf(holders).forEach(Runnable::run);
    }

    /** Calls {@code task} at the end of every turn in which it becomes crowded: for one who holds bytes that it could give back. */
    public void onCrowded(Runnable task) {
        holders.add(task);
    }

    /** Undoes {@link #onCrowded}. */
    public void forgetCrowded(Runnable task) {
        holders.remove(task);
    }

    /** Adds are acknowledged, or have failed. */
    public void give(long addBytes) {
        boolean hadRoom = hasRoom();
        long rest = bytes - addBytes;
        bytes = rest;
        if (!hadRoom && hasRoom()) {
            tell();
        }
    }

    /** Calls {@code task} once, at the end of the turn in which there may be room again. */
    public void whenRoom(Runnable task) {
        waiting.add(task);
    }

    /** Undoes {@link #whenRoom}. */
    public void forget(Runnable task) {
        waiting.remove(task);
    }

    void linkBytes(long waiting) {
        linkBytes = waiting;
    }

    void linkChanged(boolean isFull) {
        fullLinks += isFull ? 1 : -1;
        if (!isFull) {
            tell();
        }
    }

    private void tell() {
        if (!isTelling && !waiting.isEmpty()) {
            isTelling = true;
            loop.atEndOfTurn(this::tellInTurn);
        }
    }

    /** Whoever is told and still waits for more goes to the end of the line. */
    private void tellInTurn() {
        isTelling = false;
        for (int left = waiting.size(); left > 0 && !waiting.isEmpty() && hasRoom(); left--) {
            Runnable first = waiting.iterator().next();
            waiting.remove(first);
            first.run();
        }
    }
}
