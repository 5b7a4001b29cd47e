// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a command does when the process is told to end (Ctrl-C, SIGTERM) while it works. */
public final class Shutdown implements AutoCloseable {
    private static final AtomicBoolean UNDER_WAY = new AtomicBoolean();

    private final Thread hook;

    private Shutdown(Runnable action) {
        hook = new Thread(
                () -> {
                    UNDER_WAY.set(true);
                    action.run();
                },
                "daybook-shutdown");
    }

    /** From now to {@link #close} the end of the process runs {@code action} first, on a thread of its own. */
    public static Shutdown does(Runnable action) {
        Shutdown shutdown = new Shutdown(action);
        Runtime.getRuntime().addShutdownHook(shutdown.hook);
        return shutdown;
    }

    /** Whether the process is ending because it was told to: what fails now is not worth a message. */
    public static boolean isUnderWay() {
        return UNDER_WAY.get();
    }

    /** Throws {@link CancellationException} when the process is ending because it was told to: what is found out now tells nothing, and nothing is begun any more. */
    public static void requireNotUnderWay() {
        if (isUnderWay()) {
            throw new CancellationException("the process is ending");
        }
    }

    /** Kills every process that this one has started, and theirs, and waits until they are gone; then nobody writes to their directories. */
    public static void killChildren() {
        List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }

    /** The work is done. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The action runs already.
            UNDER_WAY.set(true);
        }
    }
}
