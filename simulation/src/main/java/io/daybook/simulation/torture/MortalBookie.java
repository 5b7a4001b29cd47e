// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.ExitCode;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemConfig;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * The program of a bookie that is tortured. It stops in order when its standard input ends, so that none is ever left behind. Its arguments: the
 * namespace URI, its directory, and settings as {@code key=value}.
 */
final class MortalBookie {
    /** Begins the line that says that it serves; how many milliseconds its start took follows. */
    static final String READY = "ready ";

    private static final long CONNECT_MILLIS_MAX = 20_000;

    private MortalBookie() {}

    /** Formats when it is new, starts, says so, and waits for the end. */
    public static void main(String[] arguments) throws IOException {
        // Standard output is for the one line that the starter waits for.
        PrintStream starter = System.out;
        System.setOut(System.err);
        Path directory = Path.of(arguments[1]);
        BookieConfig set = settings(List.of(arguments).subList(2, arguments.length));
        BookieConfig config = set.withName("mortal")
                .withListen(new Endpoint("127.0.0.1", 0))
                .withDirectories(below(directory, set.journalDirectories()), below(directory, set.dataDirectories()));
        try (MetadataStores stores = MetadataStoresProvider.connect(URI.create(arguments[0]), CONNECT_MILLIS_MAX);
                SystemHost host =
                        SystemHost.failStop(SettingsLoader.defaults(SystemConfig.class), ExitCode.VIOLATION.code())) {
            BookieFormat.format(config, host, stores).join();
            long begun = System.nanoTime();
            Bookie bookie = Bookie.start(config, host, stores).join();
            starter.println(READY + Duration.ofNanos(System.nanoTime() - begun).toMillis());
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
            bookie.close().join();
        } catch (CompletionException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            starter.println("refused: " + cause.getMessage());
        }
    }

    private static List<String> below(Path directory, List<String> names) {
        return names.stream().map(name -> directory.resolve(name).toString()).toList();
    }

    private static BookieConfig settings(List<String> lines) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            settings.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return SettingsLoader.of("torture", settings)
                .load(List.of(BookieConfig.class))
                .get(BookieConfig.class);
    }
}
