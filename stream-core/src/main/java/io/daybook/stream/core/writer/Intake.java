// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.writer;

import io.daybook.runtime.EventLoop;
import io.daybook.stream.core.segment.InternalThreads;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of calls from any thread to a writer's loop, in the order of the calls; it wakes the loop once for many of them and holds callers back while too many
 * bytes are on their way.
 *
 * <p><i>Invariants:</i> a call that was put is run: whoever finds {@code drainQueued} set put its call before the loop, which clears the flag first, looks.
 * <i>Threading:</i> {@link #admit} and {@link #put} any thread, the rest on the loop.
 */
final class Intake {
    /** Bytes on their way at which callers are held back. */
    static final long BYTES_MAX = 16L * 1024 * 1024;

    private static final int CALLS_PER_TURN_MAX = 4096;
    private static final CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);

    /** Whether a caller may go on. */
    enum Admission {
        /** It may. */
        ADMITTED,
        /** It would have to wait and must not. */
        BUSY,
        /** It was interrupted while it waited; its thread stays interrupted. */
        INTERRUPTED
    }

    private final EventLoop loop;
    private final InternalThreads internal;
    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
    private volatile boolean drainQueued;
    private volatile CompletableFuture<Void> gate = OPEN;
    /** Bytes put since the loop last looked. Callers that race lose some of the sum, which is only there to slow them down when the loop lags. */
    private volatile long bytesPut;

    private long bytesTaken;

    Intake(EventLoop loop, InternalThreads internal) {
        this.loop = loop;
        this.internal = internal;
    }

    /** Waits until there is room; {@code isStopped} tells that there is no use in waiting. */
    Admission admit(BooleanSupplier isStopped) {
        while (!isStopped.getAsBoolean()) {
            CompletableFuture<Void> signal = signal();
            if (signal == null) {
                return Admission.ADMITTED;
            }
            if (internal.isInternal()) {
                return Admission.BUSY;
            }
            try {
                signal.get();
            } catch (InterruptedException interrupted) {
                internal.keepInterrupt();
                return Admission.INTERRUPTED;
            } catch (ExecutionException impossible) {
                throw new IllegalStateException("a signal that fails", impossible);
            }
        }
        return Admission.ADMITTED;
    }

    private @Nullable CompletableFuture<Void> signal() {
        CompletableFuture<Void> now = gate;
        if (!now.isDone()) {
            return now;
        }
        if (bytesPut < BYTES_MAX) {
            return null;
        }
        CompletableFuture<Void> looked = new CompletableFuture<>();
        loop.execute(() -> looked.complete(null));
        return looked;
    }

    /** Hands over a call that carries so many bytes. */
    void put(Runnable call, int bytes) {
        long before = bytesPut;
        bytesPut = before + bytes;
        calls.add(call);
        if (!drainQueued) {
            drainQueued = true;
            loop.execute(this::drain);
        }
    }

    private void drain() {
        drainQueued = false;
        bytesPut = 0;
        for (int i = 0; i < CALLS_PER_TURN_MAX; i++) {
            Runnable call = calls.poll();
            if (call == null) {
                return;
            }
            call.run();
        }
        drainQueued = true;
        loop.execute(this::drain);
    }

    /** The writer holds so many more bytes. */
    void taken(int bytes) {
        bytesTaken += bytes;
        if (bytesTaken >= BYTES_MAX && gate.isDone()) {
            gate = new CompletableFuture<>();
        }
    }

    /** The writer holds so many bytes less. */
    void released(int bytes) {
        bytesTaken -= bytes;
        if (bytesTaken < BYTES_MAX) {
            gate.complete(null);
        }
    }

    /** The writer has stopped: nobody is held back any more. */
    void stop() {
        gate.complete(null);
    }
}
