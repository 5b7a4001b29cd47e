// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import picocli.CommandLine.Command;

/** {@code daybook stream}. */
@Command(
        name = "stream",
        description = "Named streams of records.",
        subcommands = {
            StreamCreate.class,
            StreamList.class,
            StreamShow.class,
            StreamWrite.class,
            StreamRead.class,
            StreamTail.class,
            StreamDelete.class
        })
public final class StreamCommand {}
