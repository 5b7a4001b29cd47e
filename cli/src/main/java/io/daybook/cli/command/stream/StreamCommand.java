// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.command.stream.keep.StreamPosition;
import io.daybook.cli.command.stream.keep.StreamRename;
import io.daybook.cli.command.stream.keep.StreamSettingsCommand;
import io.daybook.cli.command.stream.keep.StreamTruncate;
import io.daybook.cli.command.stream.verify.StreamVerify;
import picocli.CommandLine.Command;

/** {@code daybook stream}. */
@Command(
        name = "stream",
        description = "Named streams of records.",
        subcommands = {
            StreamCreate.class,
            StreamList.class,
            StreamWatch.class,
            StreamShow.class,
            StreamVerify.class,
            StreamWrite.class,
            StreamRead.class,
            StreamTail.class,
            StreamPosition.class,
            StreamTruncate.class,
            StreamSettingsCommand.class,
            StreamRename.class,
            StreamSeal.class,
            StreamDelete.class
        })
public final class StreamCommand {}
