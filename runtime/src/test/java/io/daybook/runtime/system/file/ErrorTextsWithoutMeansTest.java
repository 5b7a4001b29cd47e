// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B14: the first failure of a process may be one that also keeps the texts of the system from being found out; it is not taken for theirs. */
final class ErrorTextsWithoutMeansTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"files", "interrupt"})
    void whatKeepsTheTextsFromBeingFoundOutIsNoFullDevice(String lacking) throws IOException {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 100; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lacking.class.getName(),
                        directory.toString(),
                        lacking)
                .redirectErrorStream(true)
                .start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).contains("told as IO");
    }

    /** Opens a file without what is needed for that, which is its first failure. */
    static final class Lacking {
        private Lacking() {}

        public static void main(String[] arguments) throws Exception {
            FileDisk disk = new FileDisk(Path.of(arguments[0]), false);
            disk.open("file", Disk.OpenMode.CREATE_NEW).close();
            // Classes cannot be loaded from directories without a file.
            ClassLoader loader = Lacking.class.getClassLoader();
            loader.loadClass(DiskException.class.getName());
            loader.loadClass(DiskException.Kind.class.getName());
            Class.forName(DiskFailures.class.getName());
            loader.loadClass(ErrorTexts.class.getName());
            List<InputStream> opened = new ArrayList<>();
            if (arguments[1].equals("files")) {
                openAll(opened);
            } else {
                Thread.currentThread().interrupt();
            }
            DiskException failure = fail(disk, opened.isEmpty());
            System.out.println("told as " + failure.kind() + ": " + failure.getMessage());
        }

        private static void openAll(List<InputStream> opened) throws IOException {
            try {
                while (true) {
                    opened.add(new FileInputStream("/proc/version"));
                }
            } catch (FileNotFoundException tooMany) {
                // None is left.
            }
        }

        private static DiskException fail(FileDisk disk, boolean isInterrupted) {
            try {
                if (isInterrupted) {
                    return DiskFailures.of("write", "file", new java.nio.channels.ClosedByInterruptException());
                }
                disk.open("file", Disk.OpenMode.READ_ONLY).close();
                throw new IllegalStateException("it is opened");
            } catch (DiskException failure) {
                return failure;
            }
        }
    }
}
