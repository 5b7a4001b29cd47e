// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.settings.SettingsLoader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S-51 a: a server whose loop dies of a bug does not go on half dead. */
final class FailStopTest {
    private static final int EXIT_CODE = 22;

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void aTaskThatFailsEndsTheProcessWithTheGivenCode(LoopKind kind) throws IOException, InterruptedException {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName(),
                        kind.name())
                .redirectErrorStream(true)
                .start();

        String messages = new String(server.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(server.waitFor()).as(messages).isEqualTo(EXIT_CODE);
        assertThat(messages).contains("loop=doomed");
    }

    /** A process one of whose loops runs a task with a bug; it ends by itself only when its starter is gone. */
    static final class Server {
        private Server() {}

        public static void main(String[] arguments) throws IOException {
            SystemHost host = SystemHost.failStop(SettingsLoader.defaults(SystemConfig.class), EXIT_CODE);
            EventLoop loop = host.newLoop("doomed", LoopKind.valueOf(arguments[0]));
            loop.execute(() -> {
                throw new IllegalStateException("a bug");
            });
            System.exit(System.in.read() < 0 ? 2 : 3);
        }
    }
}
