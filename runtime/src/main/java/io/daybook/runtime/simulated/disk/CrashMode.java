// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

/** How the power failure of a machine treats everything on a disk that was not durable yet. */
public enum CrashMode {
    /** All of it is lost. */
    LOSE_ALL,
    /** The system happened to have written all of it. */
    KEEP_ALL,
    /** The oldest operations survive, up to a drawn one. */
    KEEP_PREFIX,
    /** Each operation survives or not, whatever their order. */
    ANY_SUBSET,
    /** As {@link #KEEP_PREFIX}, and of the next write some sectors survive. */
    TEAR_LAST,
    /** Each sector of each write survives or not; names survive. */
    TEAR_ALL,
    /** Files have their new sizes and zeros or old bytes in what was added; names survive. */
    GROW,
    /** Bytes survive; created names are missing, renames not done, deleted names back. */
    LOSE_NAMES,
    /** Names survive, bytes do not. */
    LOSE_BYTES
}
