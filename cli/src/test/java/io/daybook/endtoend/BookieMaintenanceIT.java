// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look into the directories of a bookie that does not run, mend them and get space back. */
final class BookieMaintenanceIT {
    @TempDir
    Path directory;

    private final LocalCluster zooKeeperOnly = LocalCluster.builder().bookies(0).start();
    private ProgramProcess bookie;

    @BeforeEach
    void startBookie() throws IOException {
        Files.writeString(directory.resolve("daybook.properties"), "bookie.slab-bytes = 1MiB\n");
        Run format = run("format", "--name", "b1");
        assertThat(format.exitCode()).as(format.messages()).isZero();
        start();
    }

    @AfterEach
    void endAll() {
        bookie.close();
        zooKeeperOnly.close();
    }

    private void start() {
        bookie = ProgramProcess.start(directory, arguments("start", "--name", "b1", "--port", "0"));
        bookie.line();
    }

    private Run run(String verb, String... more) {
        return Run.of(arguments(verb, more));
    }

    private String[] arguments(String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bookie", verb));
        arguments.addAll(List.of("--namespace", zooKeeperOnly.uri().toString()));
        arguments.addAll(List.of("--journal", directory.resolve("journal").toString()));
        arguments.addAll(List.of("--data", directory.resolve("data").toString()));
        arguments.addAll(
                List.of("--config", directory.resolve("daybook.properties").toString()));
        arguments.addAll(Arrays.asList(more));
        return arguments.toArray(String[]::new);
    }

    /** A ledger of so many entries; its id. */
    private String createLedger(int entries) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < entries; i++) {
            lines.append("entry ").append(i).append("-".repeat(1000)).append('\n');
        }
        Run create = Run.withInput(
                lines.toString().getBytes(UTF_8),
                "ledger",
                "create",
                "--quorums",
                "1/1/1",
                "--namespace",
                zooKeeperOnly.uri().toString());
        assertThat(create.exitCode()).as(create.messages()).isZero();
        return create.out().strip().split("\\s", -1)[0];
    }

    private void ledger(String verb, String ledgerId) {
        Run run = Run.of(
                "ledger", verb, ledgerId, "--namespace", zooKeeperOnly.uri().toString());
        assertThat(run.exitCode()).as(run.messages()).isZero();
    }

    private long bytesOfLogs() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void whatABookieNotesForItselfIsSoughtInItsFirstDataDirectoryOnly() {
        String journal = directory.resolve("journal").toString();
        String missing = directory.resolve("missing").toString();
        for (List<String> command : List.of(List.of("scrub", "--status"), List.of("read-only", "off"))) {
            List<String> line = new ArrayList<>(List.of("bookie"));
            line.addAll(command);
            line.add("--data");
            line.add(journal);

            Run other = Run.of(line.toArray(String[]::new));
            line.set(line.size() - 1, missing);
            Run none = Run.of(line.toArray(String[]::new));

            assertThat(other.exitCode()).isEqualTo(1);
            assertThat(other.messages())
                    .startsWith("daybook: the directory " + journal + " is journal-0: name the first data directory");
            assertThat(none.exitCode()).isEqualTo(1);
            assertThat(none.messages())
                    .startsWith("daybook: the directory " + missing + " is missing: name the first data directory");
        }
    }

    @Test
    void aRunningBookieIsNotDisturbed() {
        for (String verb : List.of(
                "inspect-entry-log",
                "inspect-journal",
                "rebuild-index",
                "compact",
                "collect-garbage",
                "scrub",
                "show")) {
            Run run = run(verb);

            assertThat(run.exitCode()).as(verb).isEqualTo(11);
            assertThat(run.messages()).contains("in use by another process");
        }
        assertThat(bookie.isAlive()).isTrue();
    }

    @Test
    void theJournalOfAKilledBookieShowsWhatItsNextStartReplays() {
        String ledgerId = createLedger(3);
        bookie.kill();

        Run inspect = run("inspect-journal", "--output", "json");

        assertThat(inspect.exitCode()).as(inspect.messages()).isZero();
        assertThat(inspect.out().lines().filter(line -> line.contains("\"entry\"") && line.contains(ledgerId)))
                .hasSize(3);
        assertThat(run("inspect-journal", "--ledger", ledgerId, "--count", "2", "--output", "json")
                        .out()
                        .lines())
                .hasSize(2);
        assertThat(run("inspect-journal", "--ledger", "77").out()).isEmpty();
        start();
        assertThat(bookie.terminate()).isEqualTo(128 + 15);
        assertThat(run("inspect-journal").out()).isEmpty();
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            // Who holds the directory stands in its lock.
            for (Path file : all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("LOCK"))
                    .toList()) {
                files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    @Test
    void aKilledBookieIsShownFromItsDirectoriesWhichStayAsTheyAre() throws IOException {
        createLedger(100);
        assertThat(run("read-only", "on").exitCode()).isZero();
        bookie.kill();
        Map<String, byte[]> before = files();

        Run show = run("show", "--output", "json");

        assertThat(show.exitCode()).as(show.messages()).isZero();
        assertThat(show.out())
                .contains("\"name\":\"b1\"", "\"state\":\"stopped\"", "\"readOnlyBecause\":[\"forced\"]")
                .contains("\"problems\":[]", "\"ledgers\":{\"count\":1,", "\"files\":3,\"freeFiles\":2")
                .containsPattern("\"replayBytes\":[1-9][0-9]{5}");
        Map<String, byte[]> after = files();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        after.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(before.get(name)));
        bookie = ProgramProcess.start(directory, arguments("start", "--name", "b1", "--port", "0"));
        bookie.line();
        bookie.terminate();
        assertThat(run("show", "--output", "json").out())
                .contains("\"replayBytes\":0", "\"logs\":{\"count\":1,")
                .containsPattern("\"liveEntries\":[1-9]");
    }

    // B15
    @Test
    void directoriesOfAnotherBookieAreRefusedAndLeftAlone() throws IOException {
        bookie.terminate();
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("notes.txt"), "mine");

        Run foreign = run("show", "--data", other.toString());

        assertThat(foreign.exitCode()).isEqualTo(10);
        assertThat(foreign.messages()).contains("data-1");
        assertThat(other.toFile().list()).containsExactly("notes.txt");
        Run alone = Run.of("bookie", "show", "--data", other.toString(), "--journal", other + "-none");
        assertThat(alone.exitCode()).isEqualTo(10);
        assertThat(Run.of("bookie", "show").exitCode()).isEqualTo(2);
        assertThat(run("show", "0123456789abcdef0123456789abcdef").exitCode()).isEqualTo(2);
    }

    @Test
    void aLostIndexFileIsSeenAndMadeAgain() throws IOException {
        String ledgerId = createLedger(100);
        bookie.terminate();
        Run sound = run("inspect-entry-log");
        assertThat(sound.exitCode()).as(sound.out()).isZero();
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            for (Path index :
                    files.filter(file -> file.toString().endsWith(".idx")).toList()) {
                Files.delete(index);
            }
        }

        Run damaged = run("inspect-entry-log", "--output", "json");
        Run rebuild = run("rebuild-index", "--output", "json");
        Run mended = run("inspect-entry-log");

        assertThat(damaged.exitCode()).isEqualTo(1);
        assertThat(damaged.out()).contains("\"index\":\"damaged\"");
        assertThat(rebuild.exitCode()).as(rebuild.messages()).isZero();
        assertThat(rebuild.out()).contains("\"index\":\"rebuilt\"");
        assertThat(mended.exitCode()).as(mended.out()).isZero();
        String log = damaged.out().replaceAll("(?s).*\"log\":\"([0-9a-f]+)\".*", "$1");
        Run one = run("inspect-entry-log", log, "--output", "json");
        assertThat(one.out()).contains("\"ledgerId\":" + ledgerId);
        assertThat(run("inspect-entry-log", log, "--ledger", ledgerId, "--count", "7", "--output", "json")
                        .out()
                        .lines())
                .hasSize(7);
        assertThat(run("inspect-entry-log", "--count", "7").exitCode()).isEqualTo(2);
        assertThat(run("inspect-entry-log", "77777777").messages()).contains("there is no entries-77777777.log");
        start();
        ledger("read", ledgerId);
    }

    // S-12: damage is found without a reader, and its place is told.
    @Test
    void aFlippedByteIsFoundByScrubWithTheEntryThatItHits() throws IOException {
        String ledgerId = createLedger(100);
        bookie.terminate();
        Run sound = run("scrub");
        Path log;
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            log = files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);

        Run damaged = run("scrub", "--output", "json");
        start();
        Run status = run("scrub", "--status", "--output", "json");

        assertThat(sound.exitCode()).as(sound.messages()).isZero();
        assertThat(sound.messages()).contains("nothing damaged");
        assertThat(damaged.exitCode()).as(damaged.messages()).isEqualTo(1);
        assertThat(damaged.out())
                .contains("\"damaged\":\"entries\"", "\"ledgerId\":\"" + ledgerId + "\"", "\"entries\":1");
        assertThat(status.out()).isEqualTo(damaged.out());
    }

    @Test
    void spaceOfDeletedLedgersComesBack() throws IOException {
        String kept = createLedger(100);
        String deleted = createLedger(3_000);
        ledger("delete", deleted);
        bookie.terminate();
        long before = bytesOfLogs();

        Run collect = run("collect-garbage", "--grace", "50ms", "--output", "json");

        assertThat(collect.exitCode()).as(collect.messages()).isZero();
        assertThat(collect.out()).contains("\"ledgersGivenUp\":1", "\"failure\":\"\"");
        assertThat(bytesOfLogs()).isLessThan(before / 2);
        Run compact = run("compact", "--bytes-per-second", "100MiB", "--output", "json");
        assertThat(compact.exitCode()).as(compact.messages()).isZero();
        start();
        ledger("read", kept);
    }
}
