// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The program in a process of its own. Closing kills it. */
final class ProgramProcess implements AutoCloseable {
    private static final long END_SECONDS_MAX = 60;

    private final Process process;
    private final BufferedReader out;
    private final Path messages;

    private ProgramProcess(Process process, Path messages) {
        this.process = process;
        this.messages = messages;
        out = process.inputReader(UTF_8);
    }

    /** Starts it with messages going to a file in {@code scratch}. */
    static ProgramProcess start(Path scratch, String... arguments) {
        return startWith(List.of("-Xmx256m"), scratch, arguments);
    }

    /** The same with these bounds on its memory. */
    static ProgramProcess startWith(List<String> memory, Path scratch, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(memory);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.daybook.cli.DaybookMain"));
        command.addAll(List.of(arguments));
        try {
            Path messages = Files.createTempFile(scratch, "messages", ".txt");
            Process process =
                    new ProcessBuilder(command).redirectError(messages.toFile()).start();
            return new ProgramProcess(process, messages);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The next line of standard output; waits for it. Throws when the process ended without. */
    String line() {
        try {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("it ended with " + exitCode() + ": " + messages());
            }
            return line;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** What it told people so far. */
    String messages() {
        try {
            return Files.readString(messages);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits for its end. */
    int exitCode() {
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IllegalStateException("it does not end: " + messages());
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** SIGTERM. */
    int terminate() {
        process.destroy();
        return exitCode();
    }

    /** SIGTERM, and waits for its end; what it has started, until the last moment, and still runs then. */
    List<ProcessHandle> leftByTermination() {
        Set<ProcessHandle> seen = new HashSet<>();
        // Unlike the process itself its handle leaves what it printed to be read.
        process.toHandle().destroy();
        await().atMost(Duration.ofSeconds(END_SECONDS_MAX))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    children().forEach(seen::add);
                    return !isAlive();
                });
        return seen.stream().filter(ProcessHandle::isAlive).toList();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        exitCode();
    }

    /** What it has started and still runs. */
    Stream<ProcessHandle> children() {
        return process.children();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        if (isAlive()) {
            kill();
        }
    }
}
