// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.history;

import picocli.CommandLine.Command;

/** {@code daybook history}. */
@Command(
        name = "history",
        description = "Recorded calls of clients, and what must hold for them (docs/histories.md).",
        subcommands = HistoryCheck.class)
public final class HistoryCommand {}
