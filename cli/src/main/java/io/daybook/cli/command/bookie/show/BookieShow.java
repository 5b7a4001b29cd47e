// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.show;

import io.daybook.bookie.BookieStartException;
import io.daybook.bookie.ExitCode;
import io.daybook.bookie.OfflineBookie;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.ClusterIdentity;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.ledger.bookies.BookieInquiry;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterInfo;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code daybook bookie show}. */
@Command(
        name = "show",
        description = {
            "Shows a bookie: who it is, whether it takes entries and why not, its devices, logs, ledgers, journals, index"
                    + " and what cleanup and the search for damage have done.",
            "A bookie that runs is named by its id, the beginning of it, or host:port, and asked. One that does not run is"
                    + " shown from its directories (--data and --journal, or --config), which are only read: what its next"
                    + " start would find, so it takes about as long as a start."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:the bookie is down or does not answer, and only what metadata knows of it is shown; or failed otherwise",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "15:a directory cannot be read"
        })
public final class BookieShow implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Parameters(
            arity = "0..1",
            paramLabel = "ID|HOST:PORT",
            description = "The bookie: its id or the first digits of it, or where it listens.")
    private Optional<String> bookie = Optional.empty();

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long the bookie may take to answer; 5s if left out.")
    private Duration timeout = Duration.ofSeconds(5);

    BookieShow(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        invocation.require(
                bookie.isPresent() != directories.areNamed(),
                "name either a bookie that runs, by its id or host:port, or the directories of one that does not, with"
                        + " --data and --journal or --config");
        invocation.require(timeout.toNanos() > 0, "--timeout must be more than 0");
        return bookie.isPresent() ? ask(bookie.get()) : look();
    }

    // ---- one that runs ----

    private int ask(String named) throws IOException {
        BookieChoice choice;
        BookieInquiry.Outcome outcome;
        try (MetadataStores stores = invocation.openStores()) {
            ClusterInfo cluster =
                    ClusterIdentity.read(stores, invocation.options().namespace());
            choice = BookieChoice.find(stores.bookies(), named);
            outcome = choice.registration()
                    .map(registration -> ask(cluster, registration))
                    .orElseGet(() -> new BookieInquiry.Outcome.Unanswered("it is down; what is in its directories is"
                            + " shown with --data and --journal on its machine"));
        }
        Fields fields = BookieFields.identity(choice.cookie());
        if (choice.registration().isPresent()) {
            BookieFields.registered(fields, choice.registration().get());
        } else {
            fields.with("state", "down");
        }
        BookieFields.formatted(fields, choice.cookie());
        if (outcome instanceof BookieInquiry.Outcome.Described described) {
            BookieFields.described(fields, described.description());
        }
        show(fields);
        if (outcome instanceof BookieInquiry.Outcome.Unanswered unanswered) {
            throw new CommandFailure("bookie " + choice.cookie().bookieId().shortText() + ": " + unanswered.reason());
        }
        return ExitCodes.DONE;
    }

    private BookieInquiry.Outcome ask(ClusterInfo cluster, BookieRegistration registration) {
        try (SystemHost host = SystemHost.start()) {
            EventLoop loop = host.newLoop("inquiry", Host.LoopKind.NETWORK);
            try {
                return BookieInquiry.ask(
                                loop,
                                host.network(),
                                new BookieInquiry.Target(
                                        cluster.clusterId(),
                                        registration.bookieId(),
                                        new Endpoint(registration.host(), registration.port())),
                                timeout.toNanos())
                        .join();
            } finally {
                loop.close();
            }
        }
    }

    // ---- one that does not ----

    private int look() throws Exception {
        try {
            return directories.run(this::look);
        } catch (BookieStartException refused) {
            if (refused.exitCode() == ExitCode.IN_USE) {
                throw new CommandFailure(
                        refused.exitCode().code(),
                        refused.getMessage() + ", or ask it: 'daybook bookie show' with its id or host:port",
                        refused);
            }
            throw refused;
        }
    }

    private int look(OfflineBookie offline) throws IOException {
        Fields fields = BookieFields.identity(offline.cookie()).with("state", "stopped");
        BookieFields.formatted(fields, offline.cookie());
        BookieFields.described(fields, offline.describe());
        show(fields);
        return ExitCodes.DONE;
    }

    private void show(Fields fields) throws IOException {
        Output output = invocation.output();
        output.thing(fields);
        output.flush();
    }
}
