// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook stream options}. */
@Command(
        name = "options",
        description = {
            "Changes the options of a stream that are given, and shows them all.",
            "The bounds of segments and the compression count for segments that are begun later, retention at once."
        })
public final class StreamSettingsCommand implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final KeepingOptions keeping = new KeepingOptions();

    StreamSettingsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        StreamOptions options;
        try (Namespace namespace = invocation.openNamespace()) {
            LogStream opened =
                    namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join();
            options = keeping.applied(opened.status().join().options());
            if (!keeping.areEmpty()) {
                opened.changeOptions(options).join();
            }
        }
        Output output = invocation.output();
        output.thing(KeepingOptions.fields(options));
        output.flush();
        return ExitCodes.DONE;
    }
}
