// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.ReadFrom;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook subscription create}. */
@Command(name = "create", description = "Makes a subscription that stands at a place in a stream. Prints the position.")
final class SubscriptionCreate implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final SubscriptionId id = new SubscriptionId();

    @Option(
            names = "--at",
            paramLabel = "PLACE",
            defaultValue = "earliest",
            converter = ReadFrom.class,
            description =
                    "earliest, latest, a position such as 1:17:3, after:1:17:3, txid:N or time:2026-01-31T12:00:00Z."
                            + " Default: earliest.")
    private StartPosition place = StartPosition.earliest();

    SubscriptionCreate(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Output output = invocation.output();
        try (Namespace namespace = invocation.openNamespace()) {
            Subscriptions subscriptions = namespace
                    .openStream(id.stream(), OpenMode.MUST_EXIST)
                    .join()
                    .subscriptions();
            Subscription made = subscriptions.create(id.text(), place).join();
            output.result(made.next().toString(), SubscriptionFields.of(made));
        }
        output.flush();
        return ExitCodes.DONE;
    }
}
