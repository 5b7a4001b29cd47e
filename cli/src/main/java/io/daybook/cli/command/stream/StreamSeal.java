// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.command.stream.keep.OwnershipOption;
import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamStatus;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook stream seal}. */
@Command(
        name = "seal",
        description = {
            "Ends a stream for ever: nothing can be appended to it any more, and readers get the end after the last record.",
            "Prints the position of the last record. A stream that is sealed already stays as it is;"
                    + " where it ended is not told when none of its records is left. There is no way back."
        })
final class StreamSeal implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final OwnershipOption ownership = new OwnershipOption();

    StreamSeal(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Optional<DLSN> last;
        try (Namespace namespace = invocation.openNamespace()) {
            last = seal(namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join());
        }
        Fields fields = new Fields().with("name", stream.text()).with("sealed", true);
        last.ifPresent(position -> fields.with("lastPosition", position.toString()));
        Output output = invocation.output();
        output.result(last.map(DLSN::toString).orElse("sealed before"), fields);
        output.flush();
        return ExitCodes.DONE;
    }

    /** Where the stream ends; empty when it had ended before, and nobody tells where: no record is left, or its bookies or its key are not there. */
    private Optional<DLSN> seal(LogStream opened) {
        LogWriter writer;
        try {
            writer = opened.openWriter(ownership.writerOptions("stream seal")).join();
        } catch (CompletionException failure) {
            if (FailureReport.causeOf(failure) instanceof StreamException.EndOfStream) {
                return opened.status()
                        .join()
                        .records()
                        .flatMap(StreamStatus.Records::last)
                        .map(StreamStatus.Point::position);
            }
            throw failure;
        }
        return Optional.of(writer.seal().join());
    }
}
