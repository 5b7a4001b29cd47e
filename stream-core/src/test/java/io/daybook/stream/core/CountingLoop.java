// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A loop that knows which of its timers are armed. */
final class CountingLoop implements EventLoop {
    private final EventLoop real;
    private final List<Long> armed = new ArrayList<>();

    CountingLoop(EventLoop real) {
        this.real = real;
    }

    /** Timers that were set for at least that time, have not run and were not cancelled. */
    long armed(Duration atLeast) {
        return armed.stream().filter(nanos -> nanos >= atLeast.toNanos()).count();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Long mine = delayNanos;
        armed.add(mine);
        Timer timer = real.schedule(delayNanos, () -> {
            armed.remove(mine);
            task.run();
        });
        boolean[] isCancelled = {false};
        return () -> {
            if (!isCancelled[0]) {
                isCancelled[0] = true;
                armed.remove(mine);
            }
            timer.cancel();
        };
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public void execute(Runnable task) {
        real.execute(task);
    }

    @Override
    public void atEndOfTurn(Runnable task) {
        real.atEndOfTurn(task);
    }

    @Override
    public boolean isInLoop() {
        return real.isInLoop();
    }

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public long wallMillis() {
        return real.wallMillis();
    }

    @Override
    public void close() {
        real.close();
    }
}
