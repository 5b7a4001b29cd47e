// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import picocli.CommandLine.Command;

/** {@code daybook subscription}. */
@Command(
        name = "subscription",
        description = "Named positions in streams, from which readers go on.",
        subcommands = {
            SubscriptionCreate.class,
            SubscriptionList.class,
            SubscriptionShow.class,
            SubscriptionSet.class,
            SubscriptionDelete.class
        })
public final class SubscriptionCommand {}
