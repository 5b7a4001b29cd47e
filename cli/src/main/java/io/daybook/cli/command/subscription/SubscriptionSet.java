// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.subscription;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream.Subscription;
import io.daybook.stream.LogStream.Subscriptions;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code daybook subscription set}. */
@Command(
        name = "set",
        description = {
            "Moves a subscription to a position, forward or back, unless somebody moves or takes it at the same time.",
            "Whoever reads it exclusively can commit nothing after that."
        })
final class SubscriptionSet implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final SubscriptionId id = new SubscriptionId();

    @Option(
            names = "--next",
            required = true,
            paramLabel = "POSITION",
            converter = PositionConverter.class,
            description = "The position that is read next, such as 1:17:3.")
    private DLSN next = DLSN.BEFORE_ALL;

    SubscriptionSet(Invocation invocation) {
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
            Subscription present = subscriptions.find(id.text()).join();
            Subscription moved = subscriptions.set(present, next).join();
            output.result(moved.next().toString(), SubscriptionFields.of(moved));
        }
        output.flush();
        return ExitCodes.DONE;
    }

    /** Reads positions. */
    static final class PositionConverter implements ITypeConverter<DLSN> {
        @Override
        public DLSN convert(String text) {
            try {
                return DLSN.parse(text);
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException(String.valueOf(malformed.getMessage()));
            }
        }
    }
}
