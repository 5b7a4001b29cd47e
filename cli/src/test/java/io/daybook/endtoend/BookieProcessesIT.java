// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.daybook.cli.Run;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bookies as processes of their own: one is killed under load; and every way in which one must refuse to start (B9, B15). */
final class BookieProcessesIT {
    @TempDir
    Path directory;

    private final List<ProgramProcess> processes = new ArrayList<>();
    private final LocalCluster zooKeeperOnly = LocalCluster.builder().bookies(0).start();
    private String uri = "";

    @BeforeEach
    void connect() {
        uri = zooKeeperOnly.uri().toString();
    }

    @AfterEach
    void endAll() {
        processes.forEach(ProgramProcess::close);
        zooKeeperOnly.close();
    }

    private String[] arguments(String verb, String name, String port) {
        List<String> arguments = new ArrayList<>(List.of("bookie", verb, "--namespace", uri, "--name", name));
        arguments.addAll(
                List.of("--journal", directory.resolve(name + "/journal").toString()));
        arguments.addAll(List.of("--data", directory.resolve(name + "/data").toString()));
        arguments.addAll(List.of("--port", port, "--config", config().toString()));
        return arguments.toArray(String[]::new);
    }

    private Path config() {
        try {
            return Files.writeString(directory.resolve("daybook.properties"), "bookie.slab-bytes = 4MiB\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private ProgramProcess start(String name) {
        return start(name, "0");
    }

    private ProgramProcess start(String name, String port) {
        ProgramProcess process = ProgramProcess.start(directory, arguments("start", name, port));
        processes.add(process);
        return process;
    }

    private String format(String name) {
        Run format = Run.of(arguments("format", name, "0"));
        assertThat(format.exitCode()).as(format.messages()).isZero();
        return format.out().strip();
    }

    private static void assertRefused(ProgramProcess process, int exitCode, String... parts) {
        assertThat(process.exitCode()).as(process.messages()).isEqualTo(exitCode);
        assertThat(process.messages().lines().filter(line -> line.startsWith("daybook: ")))
                .as(process.messages())
                .hasSize(1);
        assertThat(process.messages()).contains(parts);
    }

    @Test
    void aWriteGoesOnWhenOneOfThreeBookiesIsKilled() {
        List<ProgramProcess> bookies = new ArrayList<>();
        for (String name : List.of("b1", "b2", "b3")) {
            format(name);
            bookies.add(start(name));
        }
        bookies.forEach(ProgramProcess::line);
        byte[] input = lines(200_000);
        // Kills when a third of the input was asked for: the write is under way then.
        InputStream killing = new ByteArrayInputStream(input) {
            private boolean killed;

            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                if (!killed && pos > input.length / 3) {
                    killed = true;
                    bookies.get(1).kill();
                }
                return super.read(target, offset, Math.min(length, 16 * 1024));
            }
        };

        Run write = Run.withInput(killing, "stream", "write", "s", "--create", "--namespace", uri);
        Run readWithTwo = Run.of("stream", "read", "s", "--namespace", uri);
        ProgramProcess back = start("b2");
        back.line();
        Run readWithThree = Run.of("stream", "read", "s", "--namespace", uri);

        assertThat(write.exitCode()).as(write.messages()).isZero();
        assertThat(bookies.get(1).isAlive()).isFalse();
        assertThat(readWithTwo.exitCode()).as(readWithTwo.messages()).isZero();
        assertThat(readWithTwo.outBytes()).isEqualTo(input);
        assertThat(readWithThree.outBytes()).isEqualTo(input);
        assertThat(bookies.get(0).terminate()).isEqualTo(128 + 15);
    }

    @Test
    void directoriesThatAreNotItsOwnAreRefused() throws Exception {
        String id = format("b1");
        format("b2");
        assertThat(format("b1")).isEqualTo(id);
        Files.move(directory.resolve("b2/data"), directory.resolve("b1-data-now"));
        Files.move(directory.resolve("b1/data"), directory.resolve("b2/data"));

        assertRefused(start("b2"), 10, "b2/data", "mount directories of one bookie");
        assertRefused(start("b1"), 10, "b1/data");
    }

    // P-123
    @Test
    void aBookieThatIsNotFormattedSaysHow() {
        assertRefused(start("new"), 10, "bookie format");
    }

    // P-123
    @Test
    void twoProcessesDoNotShareDirectoriesOrAPort() {
        format("b1");
        format("b2");
        ProgramProcess first = start("b1");
        String endpoint = first.line().split(" ", -1)[1];
        String port = endpoint.substring(endpoint.lastIndexOf(':') + 1);

        assertRefused(start("b1"), 11, "b1/");
        assertRefused(start("b2", port), 12, endpoint, "in use");
        assertThat(first.isAlive()).isTrue();
    }

    // P-123
    @Test
    void slabsThatDoNotFitIntoMemoryAreTold() {
        format("b1");
        ProgramProcess small = ProgramProcess.startWith(
                List.of("-Xmx128m", "-XX:MaxDirectMemorySize=8m"), directory, arguments("start", "b1", "0"));
        processes.add(small);

        assertRefused(small, 16, "bookie.slab-bytes", "-XX:MaxDirectMemorySize");
    }

    @Test
    void aMetadataStoreThatDoesNotAnswerIsTold() {
        format("b1");
        uri = "zk://127.0.0.1:1/daybook";

        assertRefused(start("b1"), 13, "127.0.0.1:1");
    }

    // S-32 d: the note by which a bookie knows the process before it proves nothing in a copy of its directories.
    @Test
    void aCopyOfALiveBookieIsRefusedAndTheBookieStaysRegistered() throws Exception {
        String id = format("b1");
        ProgramProcess first = start("b1");
        String line = first.line();
        copy(directory.resolve("b1"), directory.resolve("copy"));

        assertRefused(start("copy"), 11, id, "copied");

        assertThat(first.isAlive()).isTrue();
        assertThat(line).contains(id);
        assertThat(Run.of("bookie", "list", "--namespace", uri).out()).contains(portOf(line));
    }

    private static String portOf(String line) {
        return line.substring(line.lastIndexOf(':') + 1).strip();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    // S-27 c
    @Test
    void aKilledBookieServesAgainUnderANewRegistration() {
        String id = format("b1");
        start("b1").line();
        processes.get(0).kill();

        String line = start("b1").line();

        assertThat(line).contains(id);
        assertThat(Run.of("bookie", "list", "--namespace", uri).out()).contains(portOf(line));
    }

    @Test
    void damageInTheJournalIsNotPassedOver() throws Exception {
        format("b1");
        ProgramProcess first = start("b1");
        first.line();
        Run write = Run.withInput(lines(20_000), "ledger", "create", "--quorums", "1/1/1", "--namespace", uri);
        assertThat(write.exitCode()).as(write.messages()).isZero();
        first.kill();
        damageFirstRecords(directory.resolve("b1/journal"));

        assertRefused(start("b1"), 14, "b1/journal", "journal-", "is damaged at position", "accept-damage");
        Run inspect = Run.of(offline("inspect-journal", "b1"));
        assertThat(inspect.exitCode()).isEqualTo(14);
        assertThat(inspect.messages()).contains("b1/journal is damaged: ", "is damaged at position");
        assertThat(inspect.out()).as("what survives").contains("entry ");

        // An explicit step of the operator, once: what is whole is served again, and nothing that was there is called
        // absent.
        Run accept = Run.of(offline("accept-damage", "b1"));
        ProgramProcess again = start("b1");
        again.line();

        assertThat(accept.exitCode()).as(accept.messages()).isZero();
        assertThat(again.isAlive()).isTrue();
    }

    // S-18 (c), B15: with several data directories the difference and the remedy are named for the one that is wrong.
    @Test
    void aBookieWithSeveralDataDirectoriesIsStartedWithAllOfThemOnly() throws Exception {
        String id = runFormat("b1", "data", "data-b", "data-c").out().strip();
        ProgramProcess first = startWith("b1", "data", "data-b", "data-c");
        assertThat(first.line()).startsWith(id);
        Run write = Run.withInput(lines(20_000), "ledger", "create", "--quorums", "1/1/1", "--namespace", uri);
        assertThat(write.exitCode()).as(write.messages()).isZero();
        first.kill();

        assertRefused(startWith("b1", "data", "data-b"), 10, "no directory is named for data-2", "data-directories");
        assertRefused(startWith("b1", "data", "data-c", "data-b"), 10, "formatted as data-2", "swapped");
        Files.createDirectory(directory.resolve("b1/data-d"));
        assertRefused(
                startWith("b1", "data", "data-b", "data-c", "data-d"),
                10,
                "b1/data-d (data-3) is none of bookie " + id);
        Files.move(directory.resolve("b1/data-b"), directory.resolve("b1-data-b"));
        assertRefused(startWith("b1", "data", "data-b", "data-c"), 10, "b1/data-b (data-1) is missing");
        Files.createDirectory(directory.resolve("b1/data-b"));
        assertRefused(startWith("b1", "data", "data-b", "data-c"), 10, "b1/data-b (data-1) is empty");
        assertThat(runFormat("b1", "data", "data-b", "data-c").exitCode()).isEqualTo(10);
        Files.delete(directory.resolve("b1/data-b/LOCK"));
        Files.delete(directory.resolve("b1/data-b"));
        Files.move(directory.resolve("b1-data-b"), directory.resolve("b1/data-b"));

        ProgramProcess again = startWith("b1", "data", "data-b", "data-c");

        assertThat(again.line()).startsWith(id);
        again.terminate();
        Run inspect = Run.of(withData(offline("inspect-entry-log", "b1"), "b1", List.of("data-b", "data-c")));
        assertThat(inspect.exitCode()).as(inspect.messages()).isZero();
        assertThat(inspect.out()).contains("b1/data");
    }

    private Run runFormat(String name, String... data) {
        return Run.of(
                withData(arguments("format", name, "0"), name, List.of(data).subList(1, data.length)));
    }

    private ProgramProcess startWith(String name, String... data) {
        String[] arguments =
                withData(arguments("start", name, "0"), name, List.of(data).subList(1, data.length));
        ProgramProcess process = ProgramProcess.start(directory, arguments);
        processes.add(process);
        return process;
    }

    /** The command line with further data directories. */
    private String[] withData(String[] arguments, String name, List<String> further) {
        List<String> all = new ArrayList<>(List.of(arguments));
        for (String each : further) {
            all.addAll(List.of("--data", directory.resolve(name + "/" + each).toString()));
        }
        return all.toArray(String[]::new);
    }

    // S-17: an operator's wish lasts over a restart.
    @Test
    void aBookieThatWasMadeReadOnlyStaysSoUntilItIsMadeWritable() {
        format("b1");
        ProgramProcess first = start("b1");
        first.line();

        Run on = Run.of(offline("read-only", "b1", "on"));
        awaitState("read-only");
        first.kill();
        ProgramProcess second = start("b1");
        second.line();
        String afterRestart = stateOf();
        Run off = Run.of(offline("read-only", "b1", "off"));
        awaitState("writable");

        assertThat(on.out()).contains("now read-only");
        assertThat(afterRestart).isEqualTo("read-only");
        assertThat(off.out()).contains("now writable");
        assertThat(second.isAlive()).isTrue();
    }

    private String[] offline(String verb, String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bookie", verb));
        arguments.addAll(List.of(more));
        arguments.addAll(
                List.of("--journal", directory.resolve(name + "/journal").toString()));
        arguments.addAll(List.of("--data", directory.resolve(name + "/data").toString()));
        return arguments.toArray(String[]::new);
    }

    private String stateOf() {
        String list =
                Run.of("bookie", "list", "--output", "json", "--namespace", uri).out();
        return list.contains("\"read-only\"") ? "read-only" : list.contains("\"writable\"") ? "writable" : list;
    }

    private void awaitState(String wanted) {
        await().atMost(Duration.ofSeconds(60)).until(() -> stateOf().equals(wanted));
    }

    /** Flips bytes a little behind the beginning of every journal file, far below what was synced last. */
    private static void damageFirstRecords(Path journal) throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.list(journal)) {
            files = all.filter(path -> path.getFileName().toString().startsWith("journal"))
                    .toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.allocate(64);
                channel.read(bytes, 16 * 1024);
                for (int i = 0; i < bytes.capacity(); i++) {
                    bytes.put(i, (byte) ~bytes.get(i));
                }
                channel.write(bytes.rewind(), 16 * 1024);
            }
        }
    }

    private static byte[] lines(int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            out.writeBytes(("this is line number " + i + " of " + count + "\n").getBytes(UTF_8));
        }
        return out.toByteArray();
    }
}
