// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/daybook} in a tree of its own, with a Java and a Maven that only say how they were called. */
final class StartScriptTest {
    private static final String SAY_ARGUMENTS = "#!/bin/sh\nfor argument; do echo \"[$argument]\"; done\n";

    @TempDir
    Path scratch;

    private Path tools = Path.of("");
    private Path script = Path.of("");
    private Path jar = Path.of("");

    /** How the script ended. */
    private record Ended(int exitCode, String out, String messages) {}

    @BeforeEach
    void plant() throws IOException {
        tools = Files.createDirectories(scratch.resolve("tools"));
        for (String tool :
                List.of("dirname", "readlink", "find", "sed", "touch", "mv", "rm", "mkdir", "tee", "grep", "head")) {

            program(tools.resolve(tool), "#!/bin/sh\nexec " + locate(tool) + " \"$@\"\n");
        }
        script = Files.createDirectories(scratch.resolve("tree/bin")).resolve("daybook");
        Files.copy(Path.of("..", "bin", "daybook"), script, StandardCopyOption.COPY_ATTRIBUTES);
        jar = scratch.resolve("tree/cli/target/daybook-cli.jar");
        Files.writeString(scratch.resolve("tree/pom.xml"), "<project/>");
    }

    private static Path locate(String tool) {
        return Stream.of("/usr/bin", "/bin")
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this test needs " + tool));
    }

    private Path jdk(String version) throws IOException {
        Path home = scratch.resolve("jdk-" + version);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        program(home.resolve("bin/java"), SAY_ARGUMENTS);
        return home;
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void builtJustNow() throws IOException {
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "jar");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    }

    private Ended run(Path called, Map<String, String> environment, String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(locate("bash").toString(), called.toString()), Stream.of(arguments))
                        .toList());
        builder.environment().clear();
        builder.environment().put("PATH", tools.toString());
        builder.environment().putAll(environment);
        Path messages = scratch.resolve("messages");
        Process process = builder.redirectError(messages.toFile()).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(messages));
    }

    private Ended runWithJava(String version, String... arguments) throws Exception {
        return run(script, Map.of("JAVA_HOME", jdk(version).toString()), arguments);
    }

    @Test
    void argumentsReachTheProgramAsTheyAre() throws Exception {
        builtJustNow();
        Path link = Files.createSymbolicLink(scratch.resolve("link"), Path.of("tree", "bin", "daybook"));

        Ended ended = run(
                link,
                Map.of("JAVA_HOME", jdk("17.0.2").toString(), "DAYBOOK_JAVA_OPTS", "-Xmx3g -Da=b"),
                "stream",
                "write",
                "two words",
                "*",
                "");

        assertThat(ended.exitCode()).as(ended.messages()).isZero();
        assertThat(ended.messages()).isEmpty();
        assertThat(ended.out())
                .endsWith("[io.daybook.cli.DaybookMain]\n[stream]\n[write]\n[two words]\n[*]\n[]\n")
                .contains(
                        "[-Xmx3g]\n[-Da=b]\n",
                        "[-Ddaybook.terminals=]",
                        scratch.toRealPath() + "/tree/cli/target/lib/*]")
                .doesNotContain("sun-misc-unsafe");
    }

    // Loaded classes must not bring about a collection of the whole heap while something is served.
    @Test
    void programsThatLastHaveRoomForTheirClasses() throws Exception {
        builtJustNow();

        assertThat(runWithJava("17.0.2", "bench", "append").out()).contains("[-XX:MetaspaceSize=128m]");
        assertThat(runWithJava("17.0.2", "bookie", "start").out()).contains("[-XX:MetaspaceSize=128m]");
        assertThat(runWithJava("17.0.2", "bookie", "list").out()).doesNotContain("MetaspaceSize");
    }

    @Test
    void aNewerJavaGetsTheFlagsItNeeds() throws Exception {
        builtJustNow();

        Ended ended = runWithJava("25", "demo");

        assertThat(ended.out())
                .contains(
                        "[--sun-misc-unsafe-memory-access=allow]",
                        "[-Dio.netty.noUnsafe=false]",
                        "[--enable-native-access=ALL-UNNAMED]");
    }

    @Test
    void withoutJavaOneLineSaysWhatToInstall() throws Exception {
        Ended none = run(script, Map.of());
        Ended wrongHome = run(script, Map.of("JAVA_HOME", "/nowhere"));
        Ended old = runWithJava("11.0.2");

        for (Ended ended : List.of(none, wrongHome, old)) {
            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.messages().lines()).hasSize(1);
            assertThat(ended.messages()).startsWith("daybook: ").contains("17 or later");
        }
        assertThat(wrongHome.messages()).contains("/nowhere");
        assertThat(old.messages()).contains("11.0.2");
    }

    @Test
    void withoutMavenOneLineSaysWhatToInstall() throws Exception {
        Ended ended = runWithJava("17.0.2");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.messages().lines()).hasSize(1);
        assertThat(ended.messages()).startsWith("daybook: Maven is needed").contains("3.8.7");
    }

    @Test
    void itBuildsWhatIsMissingOrOldAndOnlyThat() throws Exception {
        program(tools.resolve("mvn"), """
                #!/bin/sh
                echo "[INFO] Building daybook :: runtime 0.1.0-SNAPSHOT                  [2/3]"
                mkdir -p cli/target
                touch cli/target/daybook-cli.jar
                """);
        Path source = scratch.resolve("tree/runtime/src/main/java/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class A {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));

        Ended first = runWithJava("17.0.2", "--version");
        Ended second = runWithJava("17.0.2", "--version");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        Ended third = runWithJava("17.0.2", "--version");

        assertThat(first.messages()).contains("daybook: building", "daybook: building runtime (2 of 3)");
        assertThat(first.out()).endsWith("[io.daybook.cli.DaybookMain]\n[--version]\n");
        assertThat(second.messages()).isEmpty();
        assertThat(third.messages()).contains("sources have changed");
    }

    @Test
    void aFailedBuildShowsItsErrorsAndWhereTheRestIs() throws Exception {
        program(tools.resolve("mvn"), "#!/bin/sh\necho '[ERROR] no such thing'\nexit 1\n");

        Ended ended = runWithJava("17.0.2", "--version");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.messages())
                .contains("[ERROR] no such thing", "daybook: the build failed", "daybook-build.log");
    }
}
