// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.stream.Namespace.Change;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code daybook stream watch}. */
@Command(
        name = "watch",
        description = {
            "Tells which streams there are and then which come and go, a line each: 'present', 'created' or 'deleted' and the name; until Ctrl-C.",
            "All names are listed once in each interval. Fails when they cannot be listed."
        })
final class StreamWatch implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Only names that begin with this.")
    private String prefix = "";

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "How long to rest between two looks, 10ms to 1d. Default: 10s.")
    private Duration interval = Duration.ZERO;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            description = "End after so many lines. Default: never.")
    private long count;

    StreamWatch(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Output output = invocation.output();
        try (Namespace namespace = invocation.openNamespace();
                Shutdown shutdown = Shutdown.does(namespace::close)) {
            Heard heard = new Heard();
            try {
                namespace.watch(prefix, interval).subscribe(heard);
            } catch (IllegalArgumentException refused) {
                throw new CommandFailure("--interval: " + refused.getMessage());
            }
            for (long told = 0; told < count; told++) {
                Change change = heard.next();
                String kind = change.kind().name().toLowerCase(Locale.ROOT);
                output.result(
                        kind + " " + change.name(),
                        new Fields().with("kind", kind).with("name", change.name()));
                output.flush();
            }
        }
        return ExitCodes.DONE;
    }

    /** Carries changes from the thread that tells them, which must not wait, to the one that prints: one at a time. */
    private static final class Heard implements Flow.Subscriber<Change> {
        private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

        @Override
        public void onSubscribe(Flow.Subscription begun) {
            subscription.complete(begun);
        }

        @Override
        public void onNext(Change change) {
            heard.add(change);
        }

        @Override
        public void onError(Throwable failure) {
            heard.add(failure);
        }

        @Override
        public void onComplete() {
            heard.add(new IllegalStateException("a watch never completes"));
        }

        /** The next change, once there is one; throws what ended the watch. */
        Change next() throws InterruptedException {
            subscription.join().request(1);
            Object next = heard.take();
            if (next instanceof Change change) {
                return change;
            }
            throw new CompletionException((Throwable) next);
        }
    }
}
