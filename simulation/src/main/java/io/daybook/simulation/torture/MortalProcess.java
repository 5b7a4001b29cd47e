// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A {@link MortalBookie} as seen by the process that starts and kills it. Closing kills it. */
final class MortalProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private MortalProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * What to start.
     *
     * @param memory options of Java about memory
     * @param settings of the bookie, as {@code key=value}
     */
    record Program(List<String> memory, List<String> settings) {
        /** Small slabs, early flushes and quick cleanup, so that everything happens within a second. */
        static Program small(int journals) {
            List<String> directories = new ArrayList<>();
            for (int i = 0; i < journals; i++) {
                directories.add("journal-" + i);
            }
            return new Program(
                    List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m"),
                    List.of(
                            "bookie.journal-directories=" + String.join(",", directories),
                            "bookie.slab-bytes=256KiB",
                            "bookie.flush-age=300ms",
                            "bookie.space.reserved-slabs=1",
                            "bookie.cleanup.interval=200ms",
                            "bookie.cleanup.grace=0s",
                            "bookie.cleanup.trash-retention=0s",
                            "bookie.cleanup.major-interval=1s",
                            "bookie.scrub.interval=200ms"));
        }
    }

    /** Starts the same Java with the same class path; its messages are appended to {@code log}. */
    static MortalProcess launch(URI namespace, Path directory, Path log, Program program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(program.memory());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-Ddaybook.log-level=INFO",
                "-cp",
                System.getProperty("java.class.path"),
                MortalBookie.class.getName(),
                namespace.toString(),
                directory.toString()));
        command.addAll(program.settings());
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

    /** The most memory that it had in the machine at once, in bytes; 0 where the system does not tell. */
    long residentBytesMax() {
        try (Stream<String> status = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
            return status.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException gone) {
            return 0;
        }
    }

    /** Lets it stop in order; its exit code, or -1 when it does not end within {@code secondsMax}. */
    int stop(int secondsMax) {
        try {
            process.getOutputStream().close();
            return process.waitFor(secondsMax, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException gone) {
            return -1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    @Override
    public void close() {
        kill();
    }
}
