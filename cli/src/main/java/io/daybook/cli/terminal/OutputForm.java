// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

/** For whom results are written. */
public enum OutputForm {
    /** For people. */
    text,
    /** For programs: one JSON object on one line for each result or row. */
    json
}
