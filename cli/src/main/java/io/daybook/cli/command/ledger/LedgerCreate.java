// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.format.InputRecord;
import io.daybook.cli.format.RecordFormat;
import io.daybook.cli.format.RecordSource;
import io.daybook.cli.invocation.FormatOption;
import io.daybook.cli.invocation.InputFile;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.DigestType;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook ledger create}. */
@Command(
        name = "create",
        description = {
            "Makes a ledger, writes an entry for each record of standard input or a file, closes it and prints its id.",
            "When it fails half way the ledger stays as it is: 'daybook ledger recover' closes it."
        })
final class LedgerCreate implements Callable<Integer> {
    /** The size of a record of a stream, so that what fits one fits the other. */
    private static final int ENTRY_BYTES_MAX = 2 * 1024 * 1024;

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final FormatOption format = new FormatOption();

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Option(
            names = "--hmac",
            description =
                    "Entries have an HMAC-SHA-256 in place of a CRC-32C: the ledger is read and recovered with the key in"
                            + " --digest-key-file only.")
    private boolean hasHmac;

    @Option(names = "--file", paramLabel = "FILE", description = "Read this file instead of standard input.")
    private Optional<Path> file = Optional.empty();

    LedgerCreate(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        CreateOptions options = options();
        try (LedgerSession session = LedgerSession.open(invocation);
                InputFile input = InputFile.open(file, invocation.terminal(), "ledger")) {
            LedgerWriter writer = session.client().create(options).join();
            long last;
            try {
                write(writer, format.orElse(RecordFormat.LINES).source(input.bytes(), ENTRY_BYTES_MAX));
                last = writer.close().join();
            } catch (IOException | CompletionException failure) {
                Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
                throw new CommandFailure(
                        cause.getMessage() + "; entries up to "
                                + writer.lastAddConfirmed() + " are stored, 'daybook ledger recover "
                                + writer.ledgerId() + "' closes it",
                        failure);
            }
            Output output = invocation.output();
            output.result(
                    Long.toString(writer.ledgerId()),
                    new Fields().with("ledgerId", writer.ledgerId()).with("lastEntryId", last));
            output.flush();
        }
        return ExitCodes.DONE;
    }

    private CreateOptions options() {
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(quorums.value());
        if (!hasHmac) {
            return options;
        }
        DigestKey key = invocation.digestKey();
        invocation.require(!key.equals(DigestKey.NONE), "--hmac needs the key of the ledger: give --digest-key-file");
        return options.withDigest(DigestType.HMAC_SHA256, key);
    }

    /** Appends as fast as there is room; the first failure is told at once, or by closing the ledger. */
    private static void write(LedgerWriter writer, RecordSource source) throws IOException {
        Optional<InputRecord> next = source.next();
        while (next.isPresent() && !writer.failure().isDone()) {
            writer.ready().join();
            writer.append(Unpooled.wrappedBuffer(next.get().payload()));
            next = source.next();
        }
    }
}
