// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.scrub.Damage;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code daybook bookie scrub}. */
@Command(
        name = "scrub",
        description = {
            "Reads and checks every record and every index file of a bookie that does not run, and lists what is damaged.",
            "A running bookie does this by itself, slowly (bookie.scrub.bytes-per-second-max): --status tells how far it is"
                    + " and what it has found, whether it runs or not."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, nothing is damaged",
            "1:something is damaged",
            "2:wrong command line",
            "10:the directories are not those of one bookie",
            "11:a process uses the directories",
            "15:a directory cannot be read"
        })
final class BookieScrub implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Mixin
    private final OfflineDirectories directories = new OfflineDirectories();

    @Option(names = "--status", description = "Check nothing: tell how far the search has come and what is known.")
    private boolean isStatusOnly;

    BookieScrub(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        return isStatusOnly ? status() : directories.run(this::check);
    }

    private int check(OfflineBookie bookie) throws Exception {
        ScrubNotes notes;
        try (Progress progress = Progress.ofBytes(invocation.terminal(), "scrub", bookie.logBytes())) {
            notes = bookie.scrub(System.currentTimeMillis(), progress::steps);
        }
        return tell(notes);
    }

    private int status() throws Exception {
        return directories.look(data -> tell(ScrubNotes.read(data)));
    }

    private int tell(ScrubNotes notes) throws Exception {
        invocation.terminal().message("daybook: " + summary(notes));
        List<Fields> rows = new ArrayList<>();
        notes.damages().forEach(damage -> rows.add(row(damage)));
        Output output = invocation.output();
        output.table(rows);
        output.flush();
        return notes.damages().isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static String summary(ScrubNotes notes) {
        String round = notes.isUnderWay()
                ? "a round is under way since " + Instant.ofEpochMilli(notes.begunMillis())
                : notes.rounds() == 0
                        ? "no round was made yet"
                        : "the last round ended at " + Instant.ofEpochMilli(notes.endedMillis());
        return round + ": " + notes.logs() + " logs, " + notes.bytes() + " bytes checked, "
                + (notes.damages().isEmpty() ? "nothing" : notes.damages().size() + " things") + " damaged, "
                + notes.rounds() + " rounds ended";
    }

    private static Fields row(Damage damage) {
        boolean hasEntries = damage.count() > 0;
        return new Fields()
                .with("damaged", damage.kind().name().toLowerCase(java.util.Locale.ROOT))
                .with("log", String.format("%08x", damage.logId()))
                .with("position", damage.position() < 0 ? "" : String.valueOf(damage.position()))
                .with("ledgerId", hasEntries ? String.valueOf(damage.ledgerId()) : "")
                .with("firstEntryId", hasEntries ? String.valueOf(damage.firstEntryId()) : "")
                .with("entries", (long) damage.count());
    }
}
