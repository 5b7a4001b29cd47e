// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.daybook.cli.Run;
import io.daybook.testkit.cluster.LocalBookie;
import io.daybook.testkit.cluster.LocalCluster;
import io.daybook.testkit.junit.DaybookCluster;
import io.daybook.testkit.junit.FreshName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code daybook stream verify} against a real cluster of three bookies. */
@DaybookCluster
final class StreamVerifyIT {
    private String uri = "";

    @BeforeEach
    void connect(LocalCluster cluster) {
        uri = cluster.uri().toString();
    }

    private Run run(String... arguments) {
        return runWithInput("", arguments);
    }

    private Run runWithInput(String input, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--namespace");
        all.add(uri);
        return Run.withInput(input.getBytes(UTF_8), all.toArray(String[]::new));
    }

    /** A stream of two segments with three records, each on three bookies; returns the position of the last one. */
    private String write(String name, String... more) {
        List<String> create = new ArrayList<>(List.of("stream", "create", name, "--quorums", "3/3/2"));
        create.addAll(List.of(more));
        assertThat(run(create.toArray(String[]::new)).exitCode()).isZero();
        String last = "";
        for (String lines : List.of("one\n", "two\nthree\n")) {
            List<String> write = new ArrayList<>(List.of("stream", "write", name));
            List.of(more).stream().filter(option -> option.contains("=")).forEach(write::add);
            Run written = runWithInput(lines, write.toArray(String[]::new));
            assertThat(written.exitCode()).as(written.messages()).isZero();
            last = written.out().strip();
        }
        return last;
    }

    /** The copy on the slowest bookie may come after the writer has gone; tried for a minute. */
    private Run whenAllCopiesAreThere(String... verify) {
        return await().atMost(Duration.ofSeconds(60)).until(() -> run(verify), run -> run.exitCode() == 0);
    }

    @Test
    void aStreamThatIsAsItShouldBeIsCountedInRecordsAndCopies(@FreshName String name) {
        write(name);

        Run verify = whenAllCopiesAreThere("stream", "verify", name, "--output", "json");

        assertThat(verify.exitCode()).as(verify.messages()).isZero();
        assertThat(verify.out())
                .contains("\"segments\":2,\"records\":3,\"contradictions\":0", "\"flawedCopies\":0")
                .doesNotContain("\"soundCopies\":0");
    }

    @Test
    void aTruncatedStreamIsComparedFromItsFirstRecordThatIsLeft(@FreshName String name) {
        String third = write(name);
        assertThat(run("stream", "truncate", name, "--below", third).exitCode()).isZero();

        Run verify = whenAllCopiesAreThere("stream", "verify", name, "--output", "json");

        assertThat(verify.exitCode()).as(verify.messages()).isZero();
        assertThat(verify.out()).contains("\"records\":1,\"contradictions\":0");
    }

    @Test
    void aStreamWithAnHmacIsVerifiedWithItsKey(@FreshName String name, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "sixteen bytes and more");
        String key = "--digest-key-file=" + file;
        write(name, "--hmac", key);

        Run without = run("stream", "verify", name);
        Run with = whenAllCopiesAreThere("stream", "verify", name, key);

        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.messages()).contains("key");
        assertThat(with.exitCode()).as(with.messages()).isZero();
    }

    // S-12
    @Test
    void copiesThatCannotBeReadAreToldWithTheirBookie(@FreshName String name, LocalCluster cluster) {
        write(name);
        LocalBookie down = cluster.bookies().get(0);
        down.stop();

        Run verify;
        try {
            verify = run("stream", "verify", name, "--output", "json");
        } finally {
            down.restart();
        }

        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.messages()).contains("stream '" + name + "': 0 contradictions in 3 records; ", "are sound");
        assertThat(verify.out())
                .contains("\"records\":3", "\"bookie\":\"" + down.id() + "\",\"kind\":\"UNREADABLE\"")
                .doesNotContain("\"soundCopies\":0,");
    }

    @Test
    void aStreamWhoseSegmentIsGoneIsNotCalledSound(@FreshName String name) {
        write(name);
        String show = run("stream", "show", name, "--output", "json").out();
        String ledger = show.replaceAll("(?s).*?\"ledgerId\":\"?(\\d+).*", "$1");
        assertThat(run("ledger", "delete", ledger).exitCode()).isZero();

        Run verify = run("stream", "verify", name, "--output", "json");

        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.messages()).contains(name, "2 contradictions");
        assertThat(verify.out())
                .contains("the ledger of segment 1 is gone", "\"soundCopies\":")
                .doesNotContain("\"soundCopies\":0,");
    }
}
