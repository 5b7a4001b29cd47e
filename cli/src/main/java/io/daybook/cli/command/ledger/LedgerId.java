// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import picocli.CommandLine.Parameters;

/** The ledger that a command is about. */
final class LedgerId {
    @Parameters(paramLabel = "ID", description = "The ledger.")
    private long id;

    long value() {
        return id;
    }
}
