// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook stream delete}. */
@Command(name = "delete", description = "Deletes a stream with all its records. There is no way back.")
final class StreamDelete implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    StreamDelete(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (Namespace namespace = invocation.openNamespace()) {
            namespace.delete(stream.text()).join();
        }
        Output output = invocation.output();
        output.result(stream.text(), new Fields().with("name", stream.text()).with("deleted", true));
        output.flush();
        return ExitCodes.DONE;
    }
}
