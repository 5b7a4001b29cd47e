// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * The program of a bookie that serves until its standard input ends. Its arguments: the namespace URI, a new directory, bytes of a slab, and
 * settings as {@code key=value}.
 */
final class BookieProcess {
    /** The line that says that it serves. */
    static final String READY = "ready";

    private static final long CONNECT_MILLIS_MAX = 10_000;

    private BookieProcess() {}

    /** Formats, starts, says so, waits for the end of standard input, and stops. */
    public static void main(String[] arguments) throws IOException {
        // Standard output is for the one line that the starter waits for; nobody reads what comes after it.
        PrintStream starter = System.out;
        System.setOut(System.err);
        Path directory = Path.of(arguments[1]);
        BookieConfig config = settings(List.of(arguments).subList(3, arguments.length))
                .withName(directory.getFileName().toString())
                .withDirectories(
                        List.of(directory.resolve("journal").toString()),
                        List.of(directory.resolve("data").toString()))
                .withListen(new Endpoint("127.0.0.1", 0))
                .withSlabs(
                        Integer.parseInt(arguments[2]), BookieConfig.defaults().slabCount());
        try (MetadataStores stores = MetadataStoresProvider.connect(URI.create(arguments[0]), CONNECT_MILLIS_MAX);
                SystemHost host = SystemHost.start()) {
            BookieFormat.format(config, host, stores).join();
            Bookie bookie = Bookie.start(config, host, stores).join();
            starter.println(READY);
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
            bookie.close().join();
        } catch (CompletionException failure) {
            System.out.println(
                    failure.getCause() == null
                            ? failure.getMessage()
                            : failure.getCause().getMessage());
        }
    }

    private static BookieConfig settings(List<String> lines) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            settings.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return SettingsLoader.of("benchmark", settings)
                .load(List.of(BookieConfig.class))
                .get(BookieConfig.class);
    }
}
