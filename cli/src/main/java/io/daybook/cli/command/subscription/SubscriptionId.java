// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import picocli.CommandLine.Parameters;

/** The subscription that a command is about, and its stream. */
final class SubscriptionId {
    @Parameters(
            paramLabel = "NAME",
            index = "0",
            description = "The stream: 1 to 255 letters, digits and . _ - /, beginning with a letter or digit.")
    private String stream = "";

    @Parameters(
            paramLabel = "ID",
            description = "The subscription: 1 to 255 letters, digits and . _ - /, beginning with a letter or digit.")
    private String id = "";

    String stream() {
        return stream;
    }

    String text() {
        return id;
    }
}
