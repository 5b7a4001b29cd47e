// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.bookie.ledgers.ReadOwner;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Bounds the bytes of answers to reads, over all links: those being made and those that clients have not taken yet (S-44). Links that find no room wait
 * in turn.
 *
 * <p>A quarter is kept for the tail: reads of old entries take no more than the rest, and the tail may use what they leave.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class AnswerBudget {
    private final long bytesMax;
    private final Room tail = new Room();
    private final Room catchUp = new Room();
    private final Map<BookieLink, Sent> sending = new LinkedHashMap<>();
    private long recountedNanos = Long.MIN_VALUE;

    AnswerBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** What answers of one share take. */
    private static final class Room {
        private final Set<BookieLink> waiting = new LinkedHashSet<>();
        private long makingBytes;
        private long sendingBytes;

        private long bytes() {
            return makingBytes + sendingBytes;
        }
    }

    /** Answers on one link that its client has not taken yet. */
    private static final class Sent {
        private long tailBytes;
        private long catchUpBytes;

        /** So many bytes are left; which ones is not known: of each share in proportion. */
        private void left(long bytes) {
            long before = tailBytes + catchUpBytes;
            if (bytes < before) {
                tailBytes = tailBytes * bytes / before;
                catchUpBytes = bytes - tailBytes;
            }
        }
    }

    private Room room(ReadOwner.Share share) {
        return switch (share) {
            case TAIL -> tail;
            case CATCH_UP -> catchUp;
        };
    }

    /** Whether another answer may be made: its share is left by one answer at most. One of each share may always be made alone. */
    boolean admits(ReadOwner.Share share) {
        long bytes = tail.bytes() + catchUp.bytes();
        return switch (share) {
            case TAIL -> tail.bytes() < bytesMax / 4 || bytes < bytesMax;
            case CATCH_UP -> catchUp.bytes() == 0 || (catchUp.bytes() < bytesMax - bytesMax / 4 && bytes < bytesMax);
        };
    }

    /** The link is told by {@link #admitted} when there is room. */
    void waits(ReadOwner.Share share, BookieLink link) {
        room(share).waiting.add(link);
    }

    boolean hasWaiting() {
        return !tail.waiting.isEmpty() || !catchUp.waiting.isEmpty();
    }

    void making(ReadOwner.Share share, int reservedBytes) {
        room(share).makingBytes += reservedBytes;
    }

    void givenUp(ReadOwner.Share share, int reservedBytes) {
        room(share).makingBytes -= reservedBytes;
    }

    void made(BookieLink link, ReadOwner.Share share, int reservedBytes, int answerBytes) {
        Room room = room(share);
        room.makingBytes -= reservedBytes;
        room.sendingBytes += answerBytes;
        Sent sent = sending.computeIfAbsent(link, first -> new Sent());
        switch (share) {
            case TAIL -> sent.tailBytes += answerBytes;
            case CATCH_UP -> sent.catchUpBytes += answerBytes;
        }
    }

    void gone(BookieLink link) {
        sending.remove(link);
        tail.waiting.remove(link);
        catchUp.waiting.remove(link);
    }

    /** Looks at what clients have taken meanwhile, at most once in a turn. */
    void recount(long nowNanos) {
        if (nowNanos == recountedNanos) {
            return;
        }
        recountedNanos = nowNanos;
        tail.sendingBytes = 0;
        catchUp.sendingBytes = 0;
        Iterator<Map.Entry<BookieLink, Sent>> links = sending.entrySet().iterator();
        while (links.hasNext()) {
            Map.Entry<BookieLink, Sent> entry = links.next();
            long bytes = entry.getKey().link().pendingBytes();
            Sent sent = entry.getValue();
            sent.left(bytes);
            tail.sendingBytes += sent.tailBytes;
            catchUp.sendingBytes += sent.catchUpBytes;
            if (bytes == 0) {
                links.remove();
            }
        }
    }

    /** Bytes of all answers. */
    long recounted(long nowNanos) {
        recount(nowNanos);
        return tail.bytes() + catchUp.bytes();
    }

    /** The links that waited for room in a share that has some again. */
    Set<BookieLink> admitted() {
        Set<BookieLink> turn = new LinkedHashSet<>();
        for (ReadOwner.Share share : ReadOwner.Share.values()) {
            if (admits(share)) {
                Set<BookieLink> waiting = room(share).waiting;
                turn.addAll(waiting);
                waiting.clear();
            }
        }
        return turn;
    }
}
