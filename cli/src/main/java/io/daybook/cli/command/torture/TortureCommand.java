// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import picocli.CommandLine.Command;

/** {@code daybook torture}. */
@Command(
        name = "torture",
        description = "Makes faults to real processes under load and checks that nothing acknowledged is lost.",
        subcommands = {
            TortureKill.class,
            TortureOverload.class,
            TortureRestart.class,
            TakeOverTorture.class,
            OwnerProgram.class
        })
public final class TortureCommand {}
