// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.ExitCode;
import io.daybook.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * With what the commands of a bookie end that cannot do their work: supervisors act on the number, people on the line. {@link BookieProcessesIT} shows
 * the codes of directories, ports and journals.
 */
final class FailedStartTest { // P-123
    @TempDir
    Path directory;

    private String namespace;

    @BeforeEach
    void nameNamespace(TestInfo test) {
        namespace = "memory:FailedStartTest." + test.getDisplayName().replace("()", "");
    }

    private Run run(String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bookie", verb, "--namespace", namespace));
        arguments.addAll(List.of("--journal", path("journal"), "--data", path("data")));
        arguments.addAll(Arrays.asList(more));
        return Run.of(arguments.toArray(String[]::new));
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private void format() {
        assertThat(Run.of("cluster", "init", "--namespace", namespace).exitCode())
                .isZero();
        Run format = run("format");
        assertThat(format.exitCode()).as(format.messages()).isZero();
    }

    private static void assertEndsWith(Run run, ExitCode code, String text) {
        assertThat(run.exitCode()).as(run.messages()).isEqualTo(code.code());
        assertThat(run.out()).isEmpty();
        assertThat(run.messages().lines()).hasSize(1);
        assertThat(run.messages()).startsWith("daybook: ").contains(text);
    }

    // P-123
    @Test
    void nobodyAtTheAddressOfTheMetadataStore() {
        namespace = "zk://127.0.0.1:1/daybook";
        List<CompletableFuture<Run>> runs = new ArrayList<>();
        for (String verb : List.of("start", "format", "compact", "collect-garbage")) {
            runs.add(CompletableFuture.supplyAsync(() -> run(verb)));
        }

        for (CompletableFuture<Run> run : runs) {
            assertEndsWith(run.join(), ExitCode.METADATA, "127.0.0.1:1");
        }
    }

    @Test
    void noClusterInTheNamespace() {
        assertEndsWith(run("format"), ExitCode.METADATA, "cluster init");
    }

    @Test
    void noCopyOfTheMark() throws IOException {
        format();
        Files.delete(directory.resolve("journal").resolve("checkpoint"));
        Files.delete(directory.resolve("data").resolve("checkpoint"));

        assertEndsWith(run("start"), ExitCode.DISK, "'checkpoint'");
    }

    @Test
    void aFileThatCannotBeRead() throws IOException {
        format();
        Files.createDirectory(directory.resolve("journal").resolve("journal-0000.ring"));
        Files.createDirectory(directory.resolve("data").resolve("read-only"));

        assertEndsWith(run("start"), ExitCode.DISK, "journal-0000.ring");
        assertEndsWith(run("show"), ExitCode.DISK, "journal-0000.ring");
        assertThat(run("inspect-journal").exitCode()).isEqualTo(ExitCode.DISK.code());
        assertEndsWith(run("read-only", "off"), ExitCode.DISK, "read-only");
    }

    @Test
    void aListOfDamageThatCannotBeRead() throws IOException {
        format();
        Files.createDirectory(directory.resolve("data").resolve("scrub"));

        assertEndsWith(run("scrub", "--status"), ExitCode.DISK, "scrub");
        assertEndsWith(run("scrub"), ExitCode.DISK, "scrub");
        Run show = run("show");
        assertThat(show.exitCode()).as(show.messages()).isZero();
        assertThat(show.out()).contains("what the search for damage has found is not known");
    }

    @Test
    void slabsThatAreNoMultipleOfABlock() throws IOException {
        format();
        Path settings = Files.writeString(directory.resolve("daybook.properties"), "bookie.slab-bytes = 10000\n");

        assertEndsWith(run("start", "--config", settings.toString()), ExitCode.SETTINGS, "bookie.slab-bytes");
    }
}
