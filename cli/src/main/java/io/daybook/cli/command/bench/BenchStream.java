// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.StreamAppends;
import io.daybook.cli.invocation.Invocation;
import io.daybook.stream.LogRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bench stream}. */
@Command(
        name = "stream",
        description = {
            "Appends records to new streams; a writer puts the records that wait into one entry.",
            "The exit code is 1 when an append fails."
        })
final class BenchStream implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--streams",
            paramLabel = "N",
            defaultValue = "1",
            description = "Spread the load over N streams. Default: 1.")
    private int streams;

    BenchStream(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        load.checkStreams(invocation, streams, LogRecord.PAYLOAD_BYTES_MAX);
        cluster.check(invocation, load.quorums());
        return new Measurement(invocation, cluster, load)
                .run(measured -> StreamAppends.open(measured.uri(), streams, load.quorums(), load.size()));
    }
}
