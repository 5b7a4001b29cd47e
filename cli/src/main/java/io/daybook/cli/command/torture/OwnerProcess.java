// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.Shutdown;
import io.daybook.stream.DLSN;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link OwnerProgram} in a process of its own, and what it told so far.
 *
 * <p><i>Threading:</i> one thread drives it, another reads its lines into the history.
 */
final class OwnerProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerProcess.class);
    private static final long TOLD_SECONDS_MAX = 600;

    private final String name;
    private final Process process;
    private final TakeOverHistory history;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private volatile CompletableFuture<Void> opened = new CompletableFuture<>();
    private volatile CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicLong acknowledged = new AtomicLong();

    private OwnerProcess(String name, Process process, TakeOverHistory history) {
        this.name = name;
        this.process = process;
        this.history = history;
    }

    /** Starts it on the virtual machine and the class path of this process. */
    static OwnerProcess start(String uri, String stream, String name, TakeOverHistory history) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        // With the archive of classes that this process uses, it starts in half the time.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:SharedArchiveFile=") || argument.startsWith("-Xlog:"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.daybook.cli.DaybookMain"));
        command.addAll(List.of("torture", "owner", stream, "--namespace", uri));
        try {
            Process process = launch(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
            OwnerProcess owner = new OwnerProcess(name, process, history);
            Thread reader = new Thread(owner::read, "owner " + name);
            reader.setDaemon(true);
            reader.start();
            return owner;
        } catch (IOException failure) {
            throw new UncheckedIOException("could not start a process of the program", failure);
        }
    }

    private static synchronized Process launch(ProcessBuilder command) throws IOException {
        Shutdown.requireNotUnderWay();
        return command.start();
    }

    /** Kills all of them, those that are stopped too, which would stay for ever. Once this process is ending none is started any more. */
    static synchronized void killAll() {
        Shutdown.killChildren();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int next = lines.read(); next >= 0; next = lines.read()) {
                if (next == '\n') {
                    told(line.toString());
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        } catch (IOException closed) {
            // Ends as at the end of the stream.
        }
        for (CompletableFuture<?> awaited : List.of(ready, opened, ended)) {
            awaited.completeExceptionally(new IllegalStateException("process " + name + " is gone"));
        }
        gone.complete(null);
    }

    private void told(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "ready" -> ready.complete(null);
            case "opened" -> {
                history.opened(words[1], DLSN.parse(words[2]));
                opened.complete(null);
            }
            case "ok" -> {
                history.acknowledged(words[1], Long.parseLong(words[2]), DLSN.parse(words[3]));
                acknowledged.incrementAndGet();
            }
            case "failed" -> history.failed(words[1], Long.parseLong(words[2]));
            case "unknown" -> {}
            case "ended" -> ended.complete(null);
            default -> LOG.debug("process {} says: {}", name, line);
        }
    }

    /** Tells it to open a writer, {@code wait} or {@code take-over}, whose records carry the name of this opening. It is ready and owns nothing. */
    void open(String how, String session) {
        opened = new CompletableFuture<>();
        ended = new CompletableFuture<>();
        try {
            OutputStream in = process.getOutputStream();
            in.write((how + " " + session + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void awaitReady() {
        await(ready, "to connect");
    }

    void awaitOpened() {
        await(opened, "to open a writer");
    }

    void awaitEnded() {
        await(ended, "to notice that it is not the owner any more");
    }

    private <T> T await(CompletableFuture<T> told, String what) {
        try {
            return told.get(TOLD_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            throw new IllegalStateException(
                    "process " + name + " was waited for " + what + " in vain: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    long acknowledged() {
        return acknowledged.get();
    }

    /** SIGSTOP or SIGCONT. */
    void signal(String name) {
        try {
            int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (exitCode != 0) {
                throw new IllegalStateException("kill -" + name + " ends with " + exitCode);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** SIGKILL; returns when all that it told is in the history. */
    @Override
    public void close() {
        process.destroyForcibly();
        await(gone, "to end");
    }
}
