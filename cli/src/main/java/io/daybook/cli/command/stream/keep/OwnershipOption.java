// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.stream.WriterOptions;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What to do when another writer owns the stream. */
public final class OwnershipOption {
    @ArgGroup
    private final Choice choice = new Choice();

    /** At most one of them. */
    private static final class Choice {
        @Option(
                names = "--wait",
                paramLabel = "TIME",
                defaultValue = "30s",
                converter = DurationConverter.class,
                description =
                        "Wait so long for another writer that owns the stream to end; 0 refuses at once. One that died owns it for"
                                + " about 10 seconds more. Default: 30s.")
        private Duration wait = WriterOptions.DEFAULT.ownershipWaitMax();

        @Option(
                names = "--take-over",
                description =
                        "Do not wait: stop the writer that owns the stream. It keeps what was acknowledged to it.")
        private boolean takeOver;
    }

    /** For a writer of a command. */
    public WriterOptions writerOptions(String command) {
        WriterOptions options = WriterOptions.DEFAULT.withLabel("daybook " + command);
        return choice.takeOver ? options.takingOver() : options.waitingFor(choice.wait);
    }
}
