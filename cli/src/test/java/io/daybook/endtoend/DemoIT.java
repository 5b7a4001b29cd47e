// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration, on every kind of input. */
final class DemoIT {
    @TempDir
    Path directory;

    @Test
    void aFileOfManyLinesIsVerified() throws Exception {
        String text = IntStream.range(0, 50_000)
                .mapToObj(number -> "line " + number + "\n")
                .collect(Collectors.joining());
        Path file = directory.resolve("lines.txt");
        Files.writeString(file, text);

        Run run = Run.of("demo", file.toString(), "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out())
                .contains(
                        "\"verified\":true", "\"records\":50000", "\"bytes\":" + text.length(), "\"appendMillisP99\":");
    }

    @Test
    void anyBytesOfAPipeAreVerified() {
        byte[] input = new byte[5 * 1024 * 1024 + 3];
        new Random(1).nextBytes(input);
        // A line longer than a record may be.
        for (int i = 0; i < 3 * 1024 * 1024; i++) {
            input[i] = (byte) (input[i] | 0x40);
        }

        Run run = Run.withInput(input, "demo");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).containsPattern("verified +yes").containsPattern("bytes +" + input.length);
    }

    @Test
    void anEmptyInputIsVerified() {
        Run run = Run.withInput("".getBytes(StandardCharsets.UTF_8), "demo");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).containsPattern("verified +yes").containsPattern("records +0");
    }
}
