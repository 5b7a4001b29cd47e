// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What long work tells where no terminal shows a bar. */
final class ProgressLinesTest {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private final Terminal terminal = new Terminal(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(messages, true, UTF_8),
            false,
            false);

    @Test
    void longWorkTellsOnceAMinuteHowFarItIs() {
        ProgressLines lines = new ProgressLines(terminal, "kill", "", 1, 1000);
        long begin = System.nanoTime();

        for (int step = 1; step <= 9; step++) {
            lines.advance(1, begin + step * MINUTE_NANOS / 4);
        }

        assertThat(messages.toString(UTF_8)).isEqualToNormalizingNewlines("""
                daybook: kill: 4 of 1000
                daybook: kill: 8 of 1000
                """);
    }

    @Test
    void workOfUnknownLengthTellsWhatIsDone() {
        ProgressLines lines = new ProgressLines(terminal, "write", " MiB", 1024 * 1024, -1);

        lines.advance(5 * 1024 * 1024 + 1, System.nanoTime() + MINUTE_NANOS);

        assertThat(messages.toString(UTF_8)).isEqualToNormalizingNewlines("daybook: write: 5 MiB\n");
    }

    @Test
    void shortWorkTellsNothing() {
        ProgressLines lines = new ProgressLines(terminal, "write", " MiB", 1024 * 1024, 10);

        lines.advance(10, System.nanoTime() + MINUTE_NANOS / 2);

        assertThat(messages.size()).isZero();
    }
}
