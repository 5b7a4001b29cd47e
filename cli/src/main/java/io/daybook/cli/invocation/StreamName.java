// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import picocli.CommandLine.Parameters;

/** The stream that a command is about. */
public final class StreamName {
    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The stream: 1 to 255 letters, digits and . _ - /, beginning with a letter or digit.")
    private String name = "";

    /** Its name, as it was given. */
    public String text() {
        return name;
    }
}
