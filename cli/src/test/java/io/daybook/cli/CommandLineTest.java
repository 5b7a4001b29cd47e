// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the program says when it is called wrongly, and the commands that need no cluster of bookies. */
final class CommandLineTest {
    @TempDir
    Path directory;

    static Stream<List<String>> commands() {
        List<List<String>> paths = new ArrayList<>();
        collect(new CommandLine(RootCommand.class, DaybookMain.factory(Terminals.silent())), List.of(), paths);
        return paths.stream();
    }

    private static void collect(CommandLine command, List<String> path, List<List<String>> paths) {
        paths.add(path);
        command.getSubcommands().forEach((name, sub) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            collect(sub, longer, paths);
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandExplainsItself(List<String> path) {
        List<String> arguments = new ArrayList<>(path);
        arguments.add("--help");

        Run run = Run.of(arguments.toArray(String[]::new));

        assertThat(run.exitCode()).isZero();
        assertThat(run.messages()).isEmpty();
        assertThat(run.out()).startsWith("Usage: daybook").contains("--output", "--verbose");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "standalone --data never-made",
                "settings",
                "history check no-file",
                "simulate --seeds 1",
                "bench cleanup --slice 1s",
                "torture kill --cycles 1",
                "torture restart --starts 1",
                "torture overload --duration 1s",
                "torture take-over --rounds 1"
            })
    void aCommandThatTalksToNoClusterRefusesTheNameOfOne(String line) {
        List<String> words = List.of(line.split(" "));
        List<String> help = new ArrayList<>(words);
        help.add("--help");
        List<String> named = new ArrayList<>(words);
        named.addAll(List.of("--namespace", "zk://127.0.0.1:1/live"));
        List<String> namedBefore = new ArrayList<>(words);
        namedBefore.addAll(0, List.of("--namespace", "zk://127.0.0.1:1/live"));

        assertThat(Run.of(help.toArray(String[]::new)).out()).doesNotContain("--namespace", "--digest-key-file");
        List<String> namedWithin = new ArrayList<>(words);
        namedWithin.addAll(1, List.of("--namespace", "zk://127.0.0.1:1/live"));
        for (List<String> refused : List.of(named, namedBefore, namedWithin)) {
            Run run = Run.of(refused.toArray(String[]::new));
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.messages()).startsWith("daybook: ").contains("--namespace");
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void aFileThatCannotBeReadIsNamedWithTheReasonInWords() throws Exception {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});

        Run settings = Run.of("bookie", "start", "--config", binary.toString());
        Run settingsDirectory = Run.of("bookie", "start", "--config", directory.toString());
        Run key = Run.of(
                "stream",
                "read",
                "s",
                "--digest-key-file",
                directory.resolve("none").toString());

        assertThat(settings.messages()).contains(binary + "' cannot be read: it is not UTF-8 text");
        assertThat(settingsDirectory.messages()).contains(directory + "' cannot be read: Is a directory");
        assertThat(key.messages()).endsWith("none': it does not exist\n");
        for (Run run : List.of(settings, settingsDirectory, key)) {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.messages()).startsWith("daybook: ").doesNotContain("java.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torture kill --cycles 0",
                "torture kill --journals 0",
                "torture kill --journals 9",
                "torture restart --starts 0",
                "torture restart --journal 0",
                "torture restart --journal 3GiB",
                "torture take-over --rounds 0",
                "torture take-over --streams 0",
                "torture overload --clients 0",
                "torture overload --memory 1MiB",
                "torture overload --duration 0s",
                "bench cleanup --rounds 0",
                "bench cleanup --slice 0s"
            })
    void whatCannotBeDoneIsRefusedBeforeAnythingIsStarted(String line) { // S-53 (d)
        String option = line.replaceFirst(".*(--[a-z]+).*", "$1");

        Run run = Run.of(line.split(" "));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.messages()).contains(option + " must be ");
    }

    // P-123
    @Test
    void everyExitCodeOfABookieIsInTheHelp() {
        String help = Run.of("bookie", "start", "--help").out();

        for (ExitCode exitCode : ExitCode.values()) {
            assertThat(help).containsPattern("\\R *" + exitCode.code() + " +[a-z]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "nonsense",
                "stream write",
                "stream read a --nonsense",
                "stream read a --from yesterday",
                "stream read a --from 1:2",
                "stream read a --count many",
                "stream read a --count -1",
                "stream write a --format xml",
                "stream write a --transaction-id random",
                "stream create a --quorums 2/3/3",
                "stream create a --quorums 3",
                "stream create a --segment-bytes 12furlongs",
                "stream create a --segment-age soon",
                "stream list a b",
                "ledger read seven",
                "standalone",
                "standalone --data x --bookies many",
                "bookie start --port high",
                "bookie show",
                "bookie show 0a0b0c0d --data x",
                "bookie show 0a0b0c0d --timeout soon",
                "cluster status --output xml"
            })
    void aWrongCommandLineIsUsage(String line) {
        Run run = Run.of(line.split(" ", -1));

        assertThat(run.exitCode()).as(run.messages()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.messages()).startsWith("daybook: ").contains("--help'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "stream", "ledger", "bookie", "cluster"})
    void aGroupAloneShowsItsCommands(String line) {
        Run run = Run.of(line.isEmpty() ? new String[0] : line.split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.messages()).contains("Missing required subcommand", "Commands:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "file:///tmp", "zk://", "zk:/x", "a b", "zk://host:99999/daybook", ""})
    void aWrongNamespaceIsOneLineThatSaysTheRightForm(String uri) {
        for (String command : List.of("stream list", "cluster status", "ledger list", "ledger recover 1")) {
            List<String> arguments = new ArrayList<>(List.of(command.split(" ", -1)));
            arguments.add("--namespace");
            arguments.add(uri);

            Run run = Run.of(arguments.toArray(String[]::new));

            assertThat(run.exitCode()).as(run.messages()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.messages().lines()).hasSize(1);
            assertThat(run.messages()).startsWith("daybook: ").contains("zk://");
        }
    }

    @Test
    void nobodyAtTheAddressIsOneLineThatNamesIt() {
        Run run = Run.of("stream", "list", "--namespace", "zk://127.0.0.1:1/daybook");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.messages().lines()).hasSize(1);
        assertThat(run.messages()).startsWith("daybook: ").contains("127.0.0.1:1");
    }

    @Test
    void aMissingFileIsOneLineThatNamesIt() {
        String missing = directory.resolve("missing").toString();

        Run demo = Run.of("demo", missing);
        Run format = Run.of("bookie", "format", "--config", missing, "--namespace", "memory:unused");

        for (Run run : List.of(demo, format)) {
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.messages()).isEqualTo("daybook: there is no file '" + missing + "': check the path\n");
        }
    }

    @Test
    void aWrongSettingIsNamedWithTheNearestRightOne() throws Exception {
        Path file = directory.resolve("daybook.properties");
        Files.writeString(file, "bookie.slab-byte = 8MiB\nbookie.slab-count = 1\n");

        Run run = Run.of("bookie", "start", "--config", file.toString(), "--namespace", "memory:unused");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages().lines()).hasSize(1);
        assertThat(run.messages())
                .contains("bookie.slab-byte is not a setting", "bookie.slab-bytes", "bookie.slab-count");
    }

    @Test
    void aClusterIsMadeOnce() {
        String namespace = "memory:CommandLineTest.aClusterIsMadeOnce";

        Run before = Run.of("cluster", "status", "--namespace", namespace);
        Run first = Run.of("cluster", "init", "--namespace", namespace);
        Run second = Run.of("cluster", "init", "--namespace", namespace);
        Run status = Run.of("--output", "json", "cluster", "status", "--namespace", namespace);

        assertThat(before.exitCode()).isEqualTo(1);
        assertThat(before.messages()).contains("there is no cluster", "cluster init");
        assertThat(first.exitCode()).isZero();
        assertThat(first.out().strip()).matches("[0-9a-f]{32}");
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.messages()).contains("already");
        assertThat(status.exitCode()).isZero();
        assertThat(status.out().lines()).hasSize(1);
        assertThat(status.out()).contains("\"clusterId\":\"" + first.out().strip() + "\"", "\"liveBookies\":0");
    }

    @Test
    void theStackTraceIsShownOnRequest() {
        Run run = Run.of("--verbose", "cluster", "status", "--namespace", "memory:CommandLineTest.verbose");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("there is no cluster", "\tat io.daybook.");
    }

    @Test
    void theDocumentedSettingsAreThoseOfTheCode() throws Exception {
        Run run = Run.of("settings");

        assertThat(run.exitCode()).isZero();
        assertThat(Files.readString(Path.of("..", "docs", "settings.md")))
                .as("docs/settings.md; 'bin/daybook settings > docs/settings.md' writes it")
                .isEqualTo(run.out());
    }
}
