// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie.directories;

import io.daybook.bookie.BookieConfig;
import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.settings.Settings;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a bookie is set up: settings of a file, overridden by the environment, overridden by options. */
public final class BookieOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Settings, as 'daybook settings' lists them: lines of key = value. Environment variables such as"
                            + " DAYBOOK_BOOKIE_SLAB_BYTES override them, and the options below override both.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            split = ",",
            description =
                    "The directory of a journal; several are separated by commas, or the option is repeated. Always name"
                            + " all of them, in the same order.")
    private List<Path> journals = new ArrayList<>();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            split = ",",
            description =
                    "A directory of entries and index; several are separated by commas, or the option is repeated."
                            + " Always name all of them, in the same order.")
    private List<Path> data = new ArrayList<>();

    @Option(names = "--host", paramLabel = "HOST", description = "The address to listen on.")
    private Optional<String> host = Optional.empty();

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on; 0 for any free one.")
    private Optional<Integer> port = Optional.empty();

    @Option(names = "--name", paramLabel = "NAME", description = "A label for people.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--rack", paramLabel = "RACK", description = "A label of the fault domain.")
    private Optional<String> rack = Optional.empty();

    /** Reads everything; throws {@link io.daybook.runtime.settings.SettingsException} that names all that is wrong. */
    public Settings load() {
        SettingsLoader loader = file.isPresent() ? loaderOf(file.get()) : SettingsLoader.of("settings", Map.of());
        return loader.withEnvironment(System.getenv())
                .load(List.of(BookieConfig.class, MaintenanceConfig.class, SystemConfig.class));
    }

    private static SettingsLoader loaderOf(Path file) {
        try {
            return SettingsLoader.ofText(file.toString(), Files.readString(file));
        } catch (NoSuchFileException missing) {
            throw new CommandFailure("there is no file '" + file + "': check the path");
        } catch (IOException failure) {
            throw new CommandFailure(
                    "the file '" + file + "' cannot be read: " + FailureReport.reasonOf(failure), failure);
        }
    }

    /** Whether the command line names directories, or a file of settings that may. */
    boolean areDirectoriesNamed() {
        return file.isPresent() || !journals.isEmpty() || !data.isEmpty();
    }

    /** The bookie's own settings, with the options. */
    public BookieConfig bookie(Settings settings) {
        BookieConfig config = settings.get(BookieConfig.class);
        Endpoint listen = config.listen();
        return config.withDirectories(
                        namedOr(journals, config.journalDirectories()), namedOr(data, config.dataDirectories()))
                .withListen(new Endpoint(host.orElse(listen.host()), port.orElse(listen.port())))
                .withName(name.orElse(config.name()))
                .withRack(rack.orElse(config.rack()));
    }

    private static List<String> namedOr(List<Path> named, List<String> configured) {
        return named.isEmpty() ? configured : named.stream().map(Path::toString).toList();
    }
}
