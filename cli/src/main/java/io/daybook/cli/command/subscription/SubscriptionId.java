// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import picocli.CommandLine.Parameters;

/** The subscription that a command is about. */
final class SubscriptionId {
    @Parameters(
            paramLabel = "ID",
            description = "The subscription: 1 to 255 letters, digits and . _ - /, beginning with a letter or digit.")
    private String id = "";

    String text() {
        return id;
    }
}
