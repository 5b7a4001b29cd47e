// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A {@link MortalBookie} as seen by the process that starts and kills it. Closing kills it. */
final class MortalProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private MortalProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the same Java with the same class path; its messages are appended to {@code log}. */
    static MortalProcess launch(URI namespace, Path directory, Path log) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:MaxDirectMemorySize=64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                MortalBookie.class.getName(),
                namespace.toString(),
                directory.toString());
        try {
            return new MortalProcess(new ProcessBuilder(command)
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException("a bookie cannot be started", failure);
        }
    }

    /** Waits until it serves; returns how many milliseconds its start took. Throws {@link IllegalStateException} when it does not start. */
    long awaitReady() {
        try {
            String line = lines.readLine();
            if (line == null || !line.startsWith(MortalBookie.READY)) {
                throw new IllegalStateException("the bookie did not start: " + (line == null ? "it ended" : line));
            }
            return Long.parseLong(line.substring(MortalBookie.READY.length()));
        } catch (IOException failure) {
            throw new UncheckedIOException("a bookie does not answer", failure);
        }
    }

    /** Whether it runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; whether it was still alive. Returns when it is gone. */
    boolean kill() {
        boolean wasAlive = process.isAlive();
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return wasAlive;
    }

    @Override
    public void close() {
        kill();
    }
}
