// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much of what happens inside is told on standard error: usually only what somebody should look at. */
public final class Logging {
    private static final String OURS = "io.daybook";

    private Logging() {}

    /** For servers: one line per change of state. */
    public static void showStateChanges() {
        raise(OURS, Level.INFO);
    }

    /** For {@code --verbose}: also what the libraries complain about. */
    public static void showEverything() {
        raise(OURS, Level.DEBUG);
        raise("org.apache", Level.WARN);
        raise("io.netty", Level.WARN);
    }

    /** For simulated processes, which fail on purpose: nothing, unless {@link #showEverything} was called before. */
    public static void hide() {
        if (LoggerFactory.getLogger(OURS) instanceof Logger logger
                && logger.getEffectiveLevel().isGreaterOrEqual(Level.WARN)) {
            logger.setLevel(Level.OFF);
        }
    }

    private static void raise(String name, Level level) {
        if (LoggerFactory.getLogger(name) instanceof Logger logger
                && logger.getEffectiveLevel().isGreaterOrEqual(level)) {
            logger.setLevel(level);
        }
    }
}
