// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook subscription list}. */
@Command(
        name = "list",
        description = "Lists the subscriptions of a stream with the positions that are read next, in order.")
final class SubscriptionList implements Callable<Integer> {
    private static final int PAGE_COUNT = 500;

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    SubscriptionList(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Output output = invocation.output();
        try (Namespace namespace = invocation.openNamespace()) {
            Subscriptions subscriptions = namespace
                    .openStream(stream.text(), OpenMode.MUST_EXIST)
                    .join()
                    .subscriptions();
            List<Subscription> page;
            String after = "";
            do {
                page = subscriptions.list(after, PAGE_COUNT).join();
                for (Subscription subscription : page) {
                    output.result(subscription.id() + " " + subscription.next(), SubscriptionFields.of(subscription));
                    after = subscription.id();
                }
                output.flush();
            } while (!page.isEmpty());
        }
        output.flush();
        return ExitCodes.DONE;
    }
}
