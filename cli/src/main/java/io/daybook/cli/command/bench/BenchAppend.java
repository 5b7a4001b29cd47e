// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.LedgerAppends;
import io.daybook.cli.invocation.Invocation;
import io.daybook.protocol.Limits;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bench append}. */
@Command(
        name = "append",
        description = {
            "Appends entries to new ledgers, each acknowledged when it is synced on its ack quorum.",
            "The exit code is 1 when an append fails."
        })
final class BenchAppend implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--ledgers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Spread the load over N ledgers. Default: 1.")
    private int ledgers;

    BenchAppend(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        load.check(invocation, ledgers, Limits.ENTRY_PAYLOAD_BYTES_MAX);
        cluster.check(invocation, load.quorums());
        return new Measurement(invocation, cluster, load)
                .run(measured -> LedgerAppends.open(measured.uri(), ledgers, load.quorums(), load.size()));
    }
}
