// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook subscription show}. */
@Command(name = "show", description = "Shows a subscription: what is read next, and who has it.")
final class SubscriptionShow implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final SubscriptionId id = new SubscriptionId();

    SubscriptionShow(Invocation invocation) {
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
            output.thing(SubscriptionFields.of(subscriptions.find(id.text()).join()));
        }
        output.flush();
        return ExitCodes.DONE;
    }
}
