// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory of frames that came in part, over all links of one loop (S-44). A link that finds no room is not read until there is; one of them at
 * a time may go on all the same, so that some frame always gets whole. While any waits, a link that sends nothing more of its frame is given up.
 *
 * <p><i>Invariants:</i> at most the bound and one frame are in memory. What fits into {@link #FREE_BYTES} of a link is not counted: small frames never
 * wait for large ones.
 *
 * <p><i>Threading:</i> the loop of the links.
 */
final class PartialFrames {
    /** About what a link receives at once. */
    static final int FREE_BYTES = 64 * 1024;

    /** A dozen frames of the largest size at once: more of them in parallel do not come in any faster. */
    static final long BYTES_MAX = 32L * 1024 * 1024;

    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EventLoop loop;
    private final long bytesMax;
    private final Set<FrameDecoder> growing = new LinkedHashSet<>();
    private final ArrayDeque<FrameDecoder> waiting = new ArrayDeque<>();
    private @Nullable FrameDecoder exempt;
    private long bytes;
    private boolean isWatched;

    PartialFrames(EventLoop loop, long bytesMax) {
        this.loop = loop;
        this.bytesMax = bytesMax;
    }

    /** Bytes that are counted. */
    long bytes() {
        return bytes;
    }

    /** Whether a decoder may take so many more bytes now; if not it is told to go on later. */
    boolean admits(FrameDecoder decoder, int moreBytes) {
        boolean isNext = waiting.isEmpty() && (exempt == null || bytes + moreBytes <= bytesMax);
        if (decoder != exempt && !isNext) {
            waiting.add(decoder);
            watch();
            return false;
        }
        take(decoder, moreBytes);
        return true;
    }

    private void take(FrameDecoder decoder, int moreBytes) {
        if (bytes + moreBytes > bytesMax) {
            exempt = decoder;
        }
        bytes += moreBytes;
        growing.add(decoder);
    }

    /** A frame for which {@code countedBytes} were admitted is whole or given up. */
    void ended(FrameDecoder decoder, int countedBytes) {
        bytes -= countedBytes;
        growing.remove(decoder);
        waiting.remove(decoder);
        if (exempt == decoder) {
            exempt = null;
        }
        if (!waiting.isEmpty()) {
            loop.execute(this::letOn);
        }
    }

    private void letOn() {
        while (!waiting.isEmpty()) {
            FrameDecoder next = waiting.element();
            int moreBytes = next.wantedBytes();
            if (exempt != null && bytes + moreBytes > bytesMax) {
                return;
            }
            waiting.remove();
            take(next, moreBytes);
            next.goOn();
        }
    }

    private void watch() {
        if (!isWatched) {
            isWatched = true;
            growing.forEach(FrameDecoder::hasComeOn);
            loop.schedule(STALL_NANOS, this::giveUpStalled);
        }
    }

    private void giveUpStalled() {
        isWatched = false;
        if (waiting.isEmpty()) {
            return;
        }
        List<FrameDecoder> now = new ArrayList<>(growing);
        now.removeAll(waiting);
        // Giving one up ends its frame, which changes the set.
        now.stream().filter(decoder -> !decoder.hasComeOn()).toList().forEach(FrameDecoder::giveUp);
        watch();
    }
}
