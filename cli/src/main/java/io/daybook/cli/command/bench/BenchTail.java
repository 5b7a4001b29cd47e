// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.StreamTail;
import io.daybook.cli.invocation.Invocation;
import io.daybook.stream.LogRecord;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook bench tail}. */
@Command(
        name = "tail",
        description = {
            "Appends records to a new stream, of which a reader follows: how long until the reader has each, since the append"
                    + " and since the acknowledgement.",
            "The exit code is 1 when an append fails, or when what was acknowledged is not read once and in order."
        })
final class BenchTail implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    BenchTail(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        load.checkStreams(invocation, 1, LogRecord.PAYLOAD_BYTES_MAX);
        cluster.check(invocation, load.quorums());
        return new Measurement(invocation, cluster, load)
                .run(measured -> StreamTail.open(measured.uri(), load.quorums(), load.size()));
    }
}
