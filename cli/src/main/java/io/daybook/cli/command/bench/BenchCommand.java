// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import picocli.CommandLine.Command;

/** {@code daybook bench}. */
@Command(
        name = "bench",
        description = {
            "Measures latency, throughput and their cost: processor time over all processes, bytes written, and what the raw"
                    + " disk gave in the same minute.",
            "Without --namespace it measures a cluster of its own, which it removes afterwards."
        },
        subcommands = {
            BenchAppend.class,
            BenchStream.class,
            BenchStreams.class,
            BenchTail.class,
            BenchRead.class,
            BenchCleanup.class
        })
public final class BenchCommand {}
