// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A bookie in a process of its own, as seen by the process that started it: it ends when its standard input does, so none is ever left behind. */
final class BookieChild {
    private static final long STOP_SECONDS_MAX = 30;

    private final Process process;

    private BookieChild(Process process) {
        this.process = process;
    }

    /** Starts the same Java with the same class path. */
    static BookieChild launch(URI namespace, Path directory, int slabBytes, List<String> settings) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=1g",
                // As bin/daybook starts a bookie.
                "-XX:-UsePerfData",
                "-XX:+UseParallelGC",
                "-XX:MetaspaceSize=128m",
                "-Dlogback.configurationFile=logback-benchmarks.xml",
                "-cp",
                System.getProperty("java.class.path"),
                BookieProcess.class.getName(),
                namespace.toString(),
                directory.toString(),
                Integer.toString(slabBytes)));
        command.addAll(settings);
        try {
            return new BookieChild(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException("a bookie cannot be started", failure);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Waits until it serves; throws {@link IllegalStateException} when it ends instead. */
    void awaitReady() {
        try {
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            String line = lines.readLine();
            if (!BookieProcess.READY.equals(line)) {
                throw new IllegalStateException("a bookie did not start: " + (line == null ? "it ended" : line));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("a bookie does not answer", failure);
        }
    }

    /** Lets it stop in order, and ends it when it does not. */
    void stop() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
