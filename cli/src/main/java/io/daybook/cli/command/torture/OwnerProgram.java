// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import io.daybook.stream.WriterOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The process that is killed: opens a writer whenever it is told to on its standard input, by {@code wait SESSION} or {@code take-over SESSION}, and appends until it is not the
 * owner any more. It tells, a line each: {@code ready}, {@code opened SESSION POSITION} (where the stream ended), {@code ok SESSION NUMBER POSITION}, {@code failed SESSION NUMBER}
 * or {@code unknown SESSION NUMBER}, {@code ended SESSION}.
 */
@Command(name = "owner", hidden = true, description = "A process that 'torture take-over' starts.")
final class OwnerProgram implements Callable<Integer> {
    private static final int IN_FLIGHT_MAX = 64;
    /** Between two appends: load enough, and the machine is left to those that take over. */
    private static final long PAUSE_NANOS = 300_000;

    private static final Duration WAIT_MAX = Duration.ofMinutes(2);

    @Mixin
    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "STREAM", description = "The stream.")
    private String stream = "";

    OwnerProgram(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(invocation.terminal().in(), StandardCharsets.UTF_8));
        try (Namespace namespace = invocation.openNamespace()) {
            tell("ready");
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                String[] words = command.split(" ", 2);
                WriterOptions options = WriterOptions.DEFAULT.withLabel(words[1]);
                WriterOptions how = words[0].equals("take-over") ? options.takingOver() : options.waitingFor(WAIT_MAX);
                LogWriter writer = namespace
                        .openStream(stream, OpenMode.MUST_EXIST)
                        .thenCompose(opened -> opened.openWriter(how))
                        .join();
                tell("opened " + words[1] + " " + writer.lastPosition());
                new Session(words[1], writer).run();
                tell("ended " + words[1]);
            }
        }
        return ExitCodes.DONE;
    }

    /** One writer from its opening to its end. */
    private final class Session {
        private final String name;
        private final LogWriter writer;
        private final AtomicBoolean hasEnded = new AtomicBoolean();
        private final Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);

        Session(String name, LogWriter writer) {
            this.name = name;
            this.writer = writer;
        }

        void run() throws InterruptedException {
            for (long number = 0; !hasEnded.get(); number++) {
                append(number);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            // What is still in flight is told as well.
            inFlight.acquire(IN_FLIGHT_MAX);
        }

        private void append(long number) throws InterruptedException {
            inFlight.acquire();
            LogRecord record = LogRecord.of(0, TakeOverHistory.value(name, number));
            writer.append(record).whenComplete((position, failure) -> {
                if (failure == null) {
                    tell("ok " + name + " " + number + " " + position);
                } else {
                    boolean isUnknown = !(FailureReport.causeOf(failure) instanceof StreamException told)
                            || told.outcome() == StreamException.Outcome.UNKNOWN;
                    tell((isUnknown ? "unknown " : "failed ") + name + " " + number);
                    hasEnded.set(true);
                }
                inFlight.release();
            });
        }
    }

    /** Whole lines, each at once: a line that is cut by a kill is recognised by its missing end. */
    private synchronized void tell(String line) {
        OutputStream out = invocation.terminal().out();
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException nobodyListens) {
            // Whoever started this process is gone.
            Runtime.getRuntime().halt(ExitCodes.FAILED);
        }
    }
}
