// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.protocol.BookieId;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook ledger show}. */
@Command(name = "show", description = "Shows what the metadata store knows of a ledger.")
final class LedgerShow implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final LedgerId ledger = new LedgerId();

    LedgerShow(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        LedgerMetadata metadata;
        try (MetadataStores stores = invocation.openStores()) {
            metadata = stores.ledgers().readLatest(ledger.value()).join().value();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof MetadataException refused
                    && refused.code() == MetadataException.Code.NOT_FOUND) {
                throw new CommandFailure(
                        "there is no ledger " + ledger.value() + ": 'daybook ledger list' shows all", refused);
            }
            throw failure;
        }
        Output output = invocation.output();
        output.thing(fields(metadata));
        output.flush();
        return ExitCodes.DONE;
    }

    /** What people and programs see of a ledger. */
    static Fields fields(LedgerMetadata metadata) {
        Fields custom = new Fields();
        metadata.custom().forEach(custom::with);
        return new Fields()
                .with("ledgerId", metadata.ledgerId())
                .with("state", metadata.state().name())
                .with("quorums", metadata.quorums().toString())
                .with("digest", metadata.digest().name())
                .with("lastEntryId", metadata.lastEntryId())
                .with("bytes", metadata.lengthBytes())
                .with("created", Instant.ofEpochMilli(metadata.createdMillis()).toString())
                .with("custom", custom)
                .withList(
                        "fragments",
                        metadata.fragments().stream().map(LedgerShow::fields).toList());
    }

    private static Fields fields(Fragment fragment) {
        return new Fields()
                .with("firstEntryId", fragment.firstEntryId())
                .withTexts(
                        "bookies",
                        fragment.ensemble().stream().map(BookieId::toString).toList());
    }
}
