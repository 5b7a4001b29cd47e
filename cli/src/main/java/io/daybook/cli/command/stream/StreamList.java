// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.Namespace;
import io.daybook.stream.Namespace.NamePage;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook stream list}. */
@Command(name = "list", description = "Lists the names of streams, one a line, in order.")
final class StreamList implements Callable<Integer> {
    private static final int PAGE = 1000;

    @Mixin
    private final Invocation invocation;

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            defaultValue = "",
            description = "Only names that begin with this.")
    private String prefix = "";

    StreamList(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Output output = invocation.output();
        try (Namespace namespace = invocation.openNamespace()) {
            String after = "";
            NamePage page;
            do {
                page = namespace.list(prefix, after, PAGE).join();
                for (String name : page.names()) {
                    output.result(name, new Fields().with("name", name));
                    after = name;
                }
                output.flush();
            } while (!page.isLast());
        }
        return ExitCodes.DONE;
    }
}
