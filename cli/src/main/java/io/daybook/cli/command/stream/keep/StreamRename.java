// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.stream.Namespace.Renamed;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook stream rename}. */
@Command(
        name = "rename",
        description = {
            "Gives a stream another name. Its records, options and subscriptions go along; the old name is free at once.",
            "Prints the new name, and when the segment numbers of its positions rose, by how much: that happens when"
                    + " streams of the new name, or of names beside it, were deleted or renamed before."
        })
public final class StreamRename implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Parameters(index = "1", paramLabel = "NEW_NAME", description = "What it is called from now on.")
    private String newName = "";

    @Mixin
    private final OwnershipOption ownership = new OwnershipOption();

    StreamRename(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Renamed renamed;
        try (Namespace namespace = invocation.openNamespace()) {
            renamed = namespace
                    .rename(stream.text(), newName, ownership.writerOptions("stream rename"))
                    .join();
        }
        Output output = invocation.output();
        String shift = renamed.segmentShift() == 0 ? "" : " segments +" + renamed.segmentShift();
        output.result(
                renamed.name() + shift,
                new Fields()
                        .with("name", stream.text())
                        .with("newName", renamed.name())
                        .with("segmentShift", renamed.segmentShift()));
        output.flush();
        return ExitCodes.DONE;
    }
}
