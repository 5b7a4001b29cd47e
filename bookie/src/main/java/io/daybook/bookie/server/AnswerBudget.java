// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bounds the bytes of answers to reads, over all links: those being made and those that clients have not taken yet (S-44). Links that find no room wait
 * in turn.
 *
 * <p><i>Threading:</i> the core loop.
 */
final class AnswerBudget {
    private final long bytesMax;
    private final Set<BookieLink> sending = new LinkedHashSet<>();
    private final Set<BookieLink> waiting = new LinkedHashSet<>();
    private long makingBytes;
    private long sendingBytes;
    private long recountedNanos = Long.MIN_VALUE;

    AnswerBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Whether another answer may be made. One may always be made alone. */
    boolean admits() {
        return makingBytes + sendingBytes < bytesMax;
    }

    /** The link is told by {@link #admitted} when there is room. */
    void waits(BookieLink link) {
        waiting.add(link);
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    void making(int answerBytesMax) {
        makingBytes += answerBytesMax;
    }

    void made(BookieLink link, int answerBytesMax, int answerBytes) {
        makingBytes -= answerBytesMax;
        sendingBytes += answerBytes;
        sending.add(link);
    }

    void gone(BookieLink link) {
        sending.remove(link);
        waiting.remove(link);
    }

    /** Looks at what clients have taken meanwhile, at most once in a turn. */
    void recount(long nowNanos) {
        if (nowNanos == recountedNanos) {
            return;
        }
        recountedNanos = nowNanos;
        sendingBytes = 0;
        for (Iterator<BookieLink> links = sending.iterator(); links.hasNext(); ) {
            long bytes = links.next().link().pendingBytes();
            sendingBytes += bytes;
            if (bytes == 0) {
                links.remove();
            }
        }
    }

    /** Bytes of all answers. */
    long recounted(long nowNanos) {
        recount(nowNanos);
        return makingBytes + sendingBytes;
    }

    /** The links that waited, when there is room again. */
    List<BookieLink> admitted() {
        if (!admits()) {
            return List.of();
        }
        List<BookieLink> turn = new ArrayList<>(waiting);
        waiting.clear();
        return turn;
    }
}
