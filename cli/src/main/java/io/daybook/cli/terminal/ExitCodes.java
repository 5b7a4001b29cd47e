// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

/** What the process ends with. */
public final class ExitCodes {
    /** Done. */
    public static final int DONE = 0;

    /** Failed; one line on standard error says why. */
    public static final int FAILED = 1;

    /** The command line is not a legal one. */
    public static final int USAGE = 2;

    private ExitCodes() {}
}
