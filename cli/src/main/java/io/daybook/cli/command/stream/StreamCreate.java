// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.cli.command.stream.keep.KeepingOptions;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamOptions.Digest;
import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook stream create}. */
@Command(name = "create", description = "Creates an empty stream.")
final class StreamCreate implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Option(
            names = "--strict",
            description =
                    "Each transaction id must be greater than the one before; a record whose id is already stored is"
                            + " answered with the stored one's position (exactly once).")
    private boolean strict;

    @Option(
            names = "--hmac",
            description =
                    "Entries have an HMAC-SHA-256 in place of a CRC-32C: the stream is written and read with the key in"
                            + " --digest-key-file only.")
    private boolean hasHmac;

    @Mixin
    private final KeepingOptions keeping = new KeepingOptions();

    StreamCreate(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Quorums copies = quorums.value();
        StreamOptions options = keeping.applied(StreamOptions.DEFAULT
                .withQuorums(copies.ensembleSize(), copies.writeQuorum(), copies.ackQuorum())
                .withTransactionIdMode(strict ? TransactionIdMode.STRICT : TransactionIdMode.NON_DECREASING)
                .withDigest(hasHmac ? Digest.HMAC_SHA256 : Digest.CRC32C));
        try (Namespace namespace = invocation.openNamespace()) {
            namespace.openStream(stream.text(), OpenMode.CREATE_NEW, options).join();
        }
        Output output = invocation.output();
        output.result(stream.text(), new Fields().with("name", stream.text()));
        output.flush();
        return ExitCodes.DONE;
    }
}
