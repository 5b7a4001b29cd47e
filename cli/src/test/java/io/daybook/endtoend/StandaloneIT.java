// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one-machine cluster as a process: killed, stopped, started twice (S-32). */
final class StandaloneIT {
    @TempDir
    Path directory;

    private ProgramProcess standalone(String... more) {
        String[] arguments = {
            "standalone", "--data", directory.resolve("data").toString(), "--zk-port", "0", "--bookie-port", "0"
        };
        String[] all = new String[arguments.length + more.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return ProgramProcess.start(directory, all);
    }

    @Test
    void whatWasAcknowledgedSurvivesKillAndOrderlyStop() {
        try (ProgramProcess first = standalone()) {
            String uri = first.line();
            Run write = Run.withInput("one\n".getBytes(UTF_8), "stream", "write", "s", "--create", "--namespace", uri);
            assertThat(write.exitCode()).as(write.messages()).isZero();
            first.kill();
        }

        try (ProgramProcess second = standalone()) {
            String uri = second.line();
            assertThat(Run.of("stream", "read", "s", "--namespace", uri).out()).isEqualTo("one\n");
            Run write = Run.withInput("two\n".getBytes(UTF_8), "stream", "write", "s", "--namespace", uri);
            assertThat(write.exitCode()).as(write.messages()).isZero();
            assertThat(second.terminate()).isEqualTo(128 + 15);
        }

        try (ProgramProcess third = standalone()) {
            String uri = third.line();
            assertThat(Run.of("stream", "read", "s", "--namespace", uri).out()).isEqualTo("one\ntwo\n");
        }
    }

    @Test
    void aSecondStartOnTheSameDirectoryIsRefused() {
        try (ProgramProcess first = standalone("--bookies", "1")) {
            first.line();

            try (ProgramProcess second = standalone("--bookies", "1")) {
                assertThat(second.exitCode()).isEqualTo(1);
                assertThat(second.messages().lines()).as(second.messages()).hasSize(1);
                assertThat(second.messages())
                        .startsWith("daybook: ")
                        .contains(directory.resolve("data").toString(), "held by process", "stop that cluster");
            }
            assertThat(first.isAlive()).isTrue();
        }
    }

    @Test
    void aPortInUseIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            Run zooKeeper =
                    Run.of("standalone", "--data", directory.resolve("zk").toString(), "--zk-port", port);
            Run bookie = Run.of(
                    "standalone",
                    "--data",
                    directory.resolve("bookie").toString(),
                    "--zk-port",
                    "0",
                    "--bookies",
                    "1",
                    "--bookie-port",
                    port);

            for (Run run : new Run[] {zooKeeper, bookie}) {
                assertThat(run.exitCode()).isEqualTo(1);
                assertThat(run.messages().lines()).as(run.messages()).hasSize(1);
                assertThat(run.messages()).startsWith("daybook: ").contains("127.0.0.1:" + port, "in use");
            }
        }
    }
}
