// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code daybook stream truncate}. */
@Command(
        name = "truncate",
        description = {
            "Removes the records of a stream below a position; the record there and all after it stay.",
            "It counts at once for everybody who begins to read; space comes back by whole segments. Prints the first"
                    + " position that is left."
        })
public final class StreamTruncate implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Option(
            names = "--below",
            required = true,
            paramLabel = "POSITION",
            converter = PositionConverter.class,
            description = "The first position that is kept, such as 1:17:3.")
    private DLSN firstKept = DLSN.BEFORE_ALL;

    StreamTruncate(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        DLSN kept;
        try (Namespace namespace = invocation.openNamespace()) {
            LogStream opened =
                    namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join();
            kept = opened.truncate(firstKept).join();
        }
        Output output = invocation.output();
        output.result(kept.toString(), new Fields().with("name", stream.text()).with("firstKept", kept.toString()));
        output.flush();
        return ExitCodes.DONE;
    }

    /** Reads positions. */
    static final class PositionConverter implements ITypeConverter<DLSN> {
        @Override
        public DLSN convert(String text) {
            try {
                return DLSN.parse(text);
            } catch (IllegalArgumentException malformed) {
                throw new TypeConversionException(String.valueOf(malformed.getMessage()));
            }
        }
    }
}
