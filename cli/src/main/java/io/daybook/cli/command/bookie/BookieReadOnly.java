// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.disk.ReadOnlyFlag;
import io.daybook.cli.command.bookie.directories.BookieOptions;
import io.daybook.cli.command.bookie.directories.OfflineDirectories;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.runtime.Disk;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook bookie read-only}. */
@Command(
        name = "read-only",
        description = {
            "Forbids new entries on a bookie of this machine, or allows them again. Reads, fences and copies made by recovery"
                    + " go on; writers move to other bookies.",
            "Works whether the bookie runs or not: it notices within a second. It stays over restarts until it is switched off."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed otherwise; the directory is no first data directory of a bookie, for one",
            "2:wrong command line",
            "15:the directory cannot be read or written"
        })
final class BookieReadOnly implements Callable<Integer> {
    /** Whether new entries are forbidden. */
    private enum Switch {
        /** Forbidden. */
        on,
        /** Allowed. */
        off
    }

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final BookieOptions options = new BookieOptions();

    @Parameters(paramLabel = "on|off", description = "on forbids new entries, off allows them.")
    private Switch wanted = Switch.on;

    BookieReadOnly(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = options.load();
        BookieConfig config = options.bookie(settings);
        return OfflineDirectories.endsAsAStart(() -> set(settings, config));
    }

    private int set(Settings settings, BookieConfig config) throws IOException {
        try (SystemHost host = SystemHost.start(settings.get(SystemConfig.class))) {
            String first = config.dataDirectories().get(0);
            Disk data = host.disk(first);
            OfflineDirectories.requireFirst(data, first);
            boolean isChanged = ReadOnlyFlag.set(data, wanted == Switch.on);
            Output output = invocation.output();
            output.result(
                    (isChanged ? "now " : "was already ") + (wanted == Switch.on ? "read-only" : "writable"),
                    new Fields()
                            .with("data", first)
                            .with("readOnly", wanted == Switch.on)
                            .with("changed", isChanged));
            output.flush();
            return ExitCodes.DONE;
        }
    }
}
