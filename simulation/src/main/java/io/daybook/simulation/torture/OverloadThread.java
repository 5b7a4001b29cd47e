// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A thread of an overload that works until it is told to stop; whatever it throws is wrong. */
final class OverloadThread {
    private static final long JOIN_MILLIS_MAX = 180_000;

    private final String what;
    private final Consumer<String> wrong;
    private final Thread thread;
    private volatile boolean isStopped;

    /** What the thread does. */
    @FunctionalInterface
    interface Work {
        /** Ends soon after {@code isStopped} tells so. */
        void until(BooleanSupplier isStopped);
    }

    /**
     * Does not begin yet.
     *
     * @param what it does, for messages, such as {@code an append}
     */
    OverloadThread(String name, String what, Work work, Consumer<String> wrong) {
        this.what = what;
        this.wrong = wrong;
        thread = new Thread(
                () -> {
                    try {
                        work.until(() -> isStopped);
                    } catch (RuntimeException failure) {
                        wrong.accept(what + " failed under load: " + failure.getMessage());
                    }
                },
                name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns when it has ended, which is wrong if it takes too long. */
    void stop() {
        isStopped = true;
        try {
            thread.join(JOIN_MILLIS_MAX);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            wrong.accept(what + " had no end within " + JOIN_MILLIS_MAX / 1_000 + " s after the load");
        }
    }
}
