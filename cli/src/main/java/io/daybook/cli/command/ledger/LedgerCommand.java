// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import picocli.CommandLine.Command;

/** {@code daybook ledger}. */
@Command(
        name = "ledger",
        description = {
            "Ledgers: what streams are made of.",
            "A ledger has one writer in its life and does not grow once it is closed, so there is one command to write one"
                    + " ('create') and none to append to an existing one: use a stream for that."
        },
        subcommands = {
            LedgerCreate.class,
            LedgerRead.class,
            LedgerTail.class,
            LedgerList.class,
            LedgerShow.class,
            LedgerFence.class,
            LedgerRecover.class,
            LedgerVerify.class,
            LedgerDelete.class
        })
public final class LedgerCommand {}
