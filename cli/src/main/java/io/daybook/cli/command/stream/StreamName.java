// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import picocli.CommandLine.Parameters;

/** The stream that a command is about. */
final class StreamName {
    @Parameters(
            paramLabel = "NAME",
            description = "The stream: 1 to 255 letters, digits and . _ - /, beginning with a letter or digit.")
    private String name = "";

    String text() {
        return name;
    }
}
