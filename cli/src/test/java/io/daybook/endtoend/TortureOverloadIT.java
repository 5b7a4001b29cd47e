// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S-44: a short run of what is run for ten minutes by hand: a bookie with little memory is given more than it can take. */
final class TortureOverloadIT {
    @TempDir
    Path directory;

    @Test
    void anOverloadedBookiePushesBackAndKeepsWithinItsMemory() {
        Run overload = Run.of(
                "torture",
                "overload",
                "--clients",
                "8",
                "--memory",
                "512MiB",
                "--duration",
                "5s",
                "--recovery",
                "10m",
                "--data",
                directory.resolve("overload").toString());

        assertThat(overload.exitCode()).as(overload.out() + overload.messages()).isZero();
        assertThat(overload.out()).contains("violations: 0").doesNotStartWith("0 entries");
    }
}
