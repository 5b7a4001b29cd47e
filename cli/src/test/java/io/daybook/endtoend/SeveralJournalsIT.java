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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bookie in a process of its own, with two journals (S-19). */
final class SeveralJournalsIT {
    private static final int LEDGERS = 8;
    private static final int ENTRIES = 40;

    @TempDir
    Path directory;

    private final LocalCluster zooKeeperOnly = LocalCluster.builder().bookies(0).start();
    private final List<ProgramProcess> processes = new ArrayList<>();

    @BeforeEach
    void format() throws IOException {
        Files.writeString(
                directory.resolve("daybook.properties"),
                "bookie.slab-bytes = 128KiB\nbookie.journal-directories = " + path("journal-a") + ","
                        + path("journal-b") + "\n");
        Run format = run("format", "--name", "b1");
        assertThat(format.exitCode()).as(format.messages()).isZero();
    }

    @AfterEach
    void endAll() {
        processes.forEach(ProgramProcess::close);
        zooKeeperOnly.close();
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private String namespace() {
        return zooKeeperOnly.uri().toString();
    }

    private String[] arguments(String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bookie", verb, "--namespace", namespace()));
        arguments.addAll(List.of("--data", path("data"), "--config", path("daybook.properties")));
        arguments.addAll(Arrays.asList(more));
        return arguments.toArray(String[]::new);
    }

    private Run run(String verb, String... more) {
        return Run.of(arguments(verb, more));
    }

    private ProgramProcess start(String... more) {
        List<String> all = new ArrayList<>(List.of("--name", "b1", "--port", "0"));
        all.addAll(Arrays.asList(more));
        ProgramProcess process = ProgramProcess.start(directory, arguments("start", all.toArray(String[]::new)));
        processes.add(process);
        return process;
    }

    private static String lines(int ledger) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < ENTRIES; i++) {
            lines.append("ledger ")
                    .append(ledger)
                    .append(" entry ")
                    .append(i)
                    .append("-".repeat(1000))
                    .append('\n');
        }
        return lines.toString();
    }

    private String createLedger(int ledger) {
        Run create = Run.withInput(
                lines(ledger).getBytes(UTF_8), "ledger", "create", "--quorums", "1/1/1", "--namespace", namespace());
        assertThat(create.exitCode()).as(create.messages()).isZero();
        return create.out().strip().split("\\s", -1)[0];
    }

    // S-19, B8
    @Test
    void everythingIsThereAfterAKillWithTwoJournals() {
        ProgramProcess bookie = start();
        bookie.line();
        List<String> ledgerIds = new ArrayList<>();
        for (int ledger = 0; ledger < LEDGERS; ledger++) {
            ledgerIds.add(createLedger(ledger));
        }
        bookie.kill();

        Run inspect = run("inspect-journal", "--output", "json");
        assertThat(inspect.exitCode()).as(inspect.messages()).isZero();
        assertThat(inspect.messages()).contains(path("journal-a") + ": 3 files", path("journal-b") + ": 3 files");
        start().line();

        for (int ledger = 0; ledger < LEDGERS; ledger++) {
            Run read = Run.of("ledger", "read", ledgerIds.get(ledger), "--namespace", namespace());
            assertThat(read.exitCode()).as(read.messages()).isZero();
            assertThat(read.out()).isEqualTo(lines(ledger));
        }
    }

    // B15
    @Test
    void otherJournalsThanThoseOfTheFormatAreRefused() {
        ProgramProcess swapped = start("--journal", path("journal-b"), "--journal", path("journal-a"));
        assertThat(swapped.exitCode()).isEqualTo(10);
        assertThat(swapped.messages()).contains("was formatted as journal-1: the directories are swapped");

        ProgramProcess alone = start("--journal", path("journal-a"));
        assertThat(alone.exitCode()).isEqualTo(10);
        assertThat(alone.messages())
                .contains("no directory is named for journal-1", "name all of them in bookie.journal-directories");
        assertThat(run("inspect-journal", "--journal", path("journal-a")).exitCode())
                .isEqualTo(10);
    }
}
