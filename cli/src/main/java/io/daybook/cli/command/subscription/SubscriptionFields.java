// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import io.daybook.cli.terminal.Fields;
import io.daybook.stream.LogStream.Subscription;

/** How commands show a subscription. */
final class SubscriptionFields {
    private SubscriptionFields() {}

    static Fields of(Subscription subscription) {
        return new Fields()
                .with("id", subscription.id())
                .with("next", subscription.next().toString())
                .with("reader", subscription.reader())
                .with("epoch", subscription.epoch())
                .with("created", subscription.created().toString())
                .with("changed", subscription.changed().toString());
    }
}
