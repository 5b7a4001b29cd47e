// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.directories;

import io.daybook.bookie.ExitCode;
import io.daybook.bookie.OfflineBookie;
import io.daybook.bookie.disk.CookieFile;
import io.daybook.bookie.journal.JournalDamagedException;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** The directories of a bookie that does not run, for commands that look into them. */
public final class OfflineDirectories {
    private static final String FIRST = "data-0";

    @Mixin
    private final BookieOptions options = new BookieOptions();

    /** Whether the command line names any, or a file that does. */
    public boolean areNamed() {
        return options.areDirectoriesNamed();
    }

    /** What a command does with them. */
    @FunctionalInterface
    public interface Work {
        /** The exit code. */
        int with(OfflineBookie bookie) throws Exception;
    }

    /** Looks into the data directory, whether the bookie runs or not; the exit code of {@code work}. */
    public int look(Look work) throws Exception {
        Settings settings = options.load();
        String path = options.bookie(settings).dataDirectories().get(0);
        try (SystemHost host = SystemHost.start(settings.get(SystemConfig.class))) {
            Disk data = host.disk(path);
            return endsAsAStart(() -> {
                requireFirst(data, path);
                return work.at(data);
            });
        }
    }

    /** What a command looks at. */
    @FunctionalInterface
    public interface Look {
        /** The exit code. */
        int at(Disk data) throws Exception;
    }

    /** What a bookie notes for itself is in its first data directory: refuses others, at {@code path}. */
    public static void requireFirst(Disk data, String path) {
        String role;
        try {
            role = data.exists(CookieFile.NAME) ? CookieFile.read(data).role() : "";
        } catch (CookieFile.UnreadableCookieException unreadable) {
            throw new CommandFailure(
                    "the cookie in " + path + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
        if (!role.equals(FIRST)) {
            throw new CommandFailure("the directory " + path + " is " + instead(path, role)
                    + ": name the first data directory of a bookie (" + FIRST + ") with --data or --config");
        }
    }

    private static String instead(String path, String role) {
        if (!role.isEmpty()) {
            return role;
        }
        return Files.isDirectory(Path.of(path)) ? "no directory of a bookie" : "missing";
    }

    /** Does it while nobody else can use the directories; its exit code. */
    public int run(Work work) throws Exception {
        Settings settings = options.load();
        return endsAsAStart(() -> {
            try (SystemHost host = SystemHost.start(settings.get(SystemConfig.class));
                    OfflineBookie bookie = OfflineBookie.open(options.bookie(settings), host)) {
                return work.with(bookie);
            }
        });
    }

    /** What fails in the directories ends a command with the exit code with which it ends a start. */
    public static int endsAsAStart(Callable<Integer> work) throws Exception {
        try {
            return work.call();
        } catch (DiskException failure) {
            throw new CommandFailure(ExitCode.DISK.code(), String.valueOf(failure.getMessage()), failure);
        } catch (JournalDamagedException damaged) {
            throw new CommandFailure(ExitCode.JOURNAL_DAMAGED.code(), String.valueOf(damaged.getMessage()), damaged);
        }
    }

    /** Reads a log's number as it stands in the names of its files. */
    public static int logId(String text) {
        try {
            int logId = Integer.parseUnsignedInt(text, 16);
            if (logId != 0) {
                return logId;
            }
        } catch (NumberFormatException malformed) {
            // Told below.
        }
        throw new CommandFailure("'" + text + "' is not the number of a log: use the hexadecimal digits of its file"
                + " name, such as 2a for entries-0000002a.log");
    }
}
