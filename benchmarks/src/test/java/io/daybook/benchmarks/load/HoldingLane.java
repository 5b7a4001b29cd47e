// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.load;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A lane that ends its requests, in order on a thread of its own, once so many are under way; and can fail one of them. */
final class HoldingLane implements Lane {
    private final int heldMax;
    private final long failingRequest;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Queue<Long> held = new ArrayDeque<>();
    private volatile Ending ending = new IgnoredEnding();
    private volatile boolean isStalling = true;
    private long count;
    private volatile int mostUnderWay;

    HoldingLane(int heldMax, long failingRequest) {
        this.heldMax = heldMax;
        this.failingRequest = failingRequest;
    }

    /** Ends each request at once. */
    static HoldingLane prompt() {
        return new HoldingLane(1, -1);
    }

    int mostUnderWay() {
        return mostUnderWay;
    }

    @Override
    public void reportTo(Ending next) {
        ending = next;
    }

    @Override
    public void send(long[] startNanos, int requests) {
        long[] copy = startNanos.clone();
        thread.execute(() -> take(copy, requests));
    }

    @Override
    public void send(long startNanos) {
        send(new long[] {startNanos}, 1);
    }

    private void take(long[] starts, int requests) {
        for (int i = 0; i < requests; i++) {
            held.add(starts[i]);
        }
        mostUnderWay = Math.max(mostUnderWay, held.size());
        if (held.size() >= heldMax || !isStalling) {
            isStalling = false;
            // Only what is here now: each end may bring the next request, which is a task of its own.
            while (!held.isEmpty()) {
                end(held.remove());
            }
        }
    }

    private void end(long start) {
        if (count++ == failingRequest) {
            ending.failed(start, new IllegalStateException("request " + failingRequest + " is to fail"));
        } else {
            ending.done(start);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }

    /** Before anybody listens. */
    private static final class IgnoredEnding implements Ending {
        @Override
        public void done(long startNanos) {}

        @Override
        public void failed(long startNanos, Throwable why) {}
    }
}
