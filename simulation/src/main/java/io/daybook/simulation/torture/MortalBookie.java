// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import io.daybook.bookie.Bookie;
import io.daybook.bookie.BookieConfig;
import io.daybook.bookie.BookieFormat;
import io.daybook.bookie.cleanup.CleanupConfig;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * The program of a bookie that is killed: small slabs, early flushes and quick cleanup, so that everything happens within a second. It ends when its
 * standard input does, so that none is ever left behind. Its arguments: the namespace URI, its directory.
 */
final class MortalBookie {
    /** Begins the line that says that it serves; how many milliseconds its start took follows. */
    static final String READY = "ready ";

    private static final long CONNECT_MILLIS_MAX = 20_000;
    private static final int SLAB_BYTES = 256 * 1024;
    private static final Duration FLUSH_AGE = Duration.ofMillis(300);

    private MortalBookie() {}

    /** Formats when it is new, starts, says so, and waits for the end. */
    public static void main(String[] arguments) throws IOException {
        // Standard output is for the one line that the starter waits for.
        PrintStream starter = System.out;
        System.setOut(System.err);
        Path directory = Path.of(arguments[1]);
        BookieConfig config = BookieConfig.embedded(
                        "mortal",
                        directory.resolve("journal").toString(),
                        directory.resolve("data").toString())
                .withSlabs(SLAB_BYTES, 3)
                .withFlushAge(FLUSH_AGE)
                .withCleanup(quickCleanup());
        try (MetadataStores stores = MetadataStoresProvider.connect(URI.create(arguments[0]), CONNECT_MILLIS_MAX);
                SystemHost host = SystemHost.start()) {
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

    private static CleanupConfig quickCleanup() {
        return SettingsLoader.of(
                        "torture",
                        Map.of(
                                "bookie.cleanup.interval", "200ms",
                                "bookie.cleanup.grace", "0s",
                                "bookie.cleanup.trash-retention", "0s",
                                "bookie.cleanup.major-interval", "1s"))
                .load(java.util.List.of(BookieConfig.class))
                .get(BookieConfig.class)
                .cleanup();
    }
}
