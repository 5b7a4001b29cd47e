// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.daybook.benchmarks.cluster.LedgerConnection;
import io.daybook.cli.Run;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code daybook bench}, from the command line to its exit code. */
final class BenchCommandTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    append | --rate
                    append --rate 10 --window 10 | mutually exclusive
                    append --rate 0 | --rate must be
                    append --window 2 --ledgers 3 | --window must be
                    append --rate 10 --size 0 | --size must be
                    append --rate 10 --size 1GiB | --size must be
                    append --rate 10 --duration 0s | --duration must be
                    append --rate 10 --quorums 2/3/2 | quorums 2/3/2
                    append --rate 10 --quorums 4/3/2 | needs as many bookies
                    append --rate 10 --embedded 0 | --embedded must be
                    append --rate 10 --server-pid 1 | need --namespace
                    append --rate 10 --namespace zk://h:1/p --processes | --namespace excludes
                    append --rate 10 --namespace zk://h:1/p --raw-disk /no/such | does not name a directory
                    tail | --rate
                    tail --rate 10 --size 3MiB | --size must be
                    tail --window 1000 --size 1MiB | must not exceed 8MiB
                    read --records 0 | --records must be
                    read --size 3MiB | --size must be
                    read --bookies 2 | --bookies must be
                    stream --window 1000 --size 1MiB | must not exceed 8MiB
                    """)
    void impossibleOptionsAreRefusedWithAReason(String arguments, String reason) {
        Run run = bench(arguments.split(" ", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.messages()).startsWith("daybook: ").contains(reason);
        assertThat(run.outBytes()).isEmpty();
    }

    @Test
    void clusterOfItsOwnIsMeasuredForPeopleAndForPrograms() throws IOException {
        Path json = directory.resolve("result.json");

        Run run = bench("append", "--rate", "200", "--warmup", "0s", "--duration", "1s", "--json", json.toString());

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out())
                .startsWith("append          open loop, 200/s, 1,024 B each, 1 handle, E/Qw/Qa 3/3/2\n")
                .contains("\nlatency         p50 ", "\np99 to raw p99 ", "\nprocessor time ");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        assertThat(result.at("/latencyMicros/count").asLong()).isBetween(199L, 201L);
        assertThat(result.at("/rates/failed").asLong()).isZero();
    }

    @Test
    void whatIsAppendedIsReadByTheReaderThatFollowsOnceAndInOrder() throws IOException {
        Path json = directory.resolve("result.json");

        Run run = bench("tail", "--rate", "200", "--warmup", "0s", "--duration", "1s", "--json", json.toString());

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out())
                .startsWith("tail            open loop, 200/s, 1,024 B each, 1 handle, E/Qw/Qa 3/3/2\n")
                .contains("\nappend to read  p50 ", "\nack to read     p50 ");
        JsonNode result = new ObjectMapper().readTree(json.toFile());
        JsonNode delivery = result.at("/delivery");
        // Those before the part that counts are read too.
        assertThat(delivery.at("/records").asLong()).isGreaterThan(300);
        assertThat(delivery.at("/missing").asLong()).isZero();
        assertThat(delivery.at("/misplaced").asLong()).isZero();
        assertThat(delivery.at("/sinceAppendMicros/count").asLong()).isBetween(199L, 201L);
        assertThat(delivery.at("/sinceAcknowledgedMicros/count").asLong())
                .isEqualTo(delivery.at("/sinceAppendMicros/count").asLong());
        // Nothing that waits for a synced journal is there in less than 20 microseconds.
        assertThat(delivery.at("/sinceAppendMicros/p50").asDouble()).isGreaterThan(20);
    }

    @Test
    void aStreamThatNoBookieHasInMemoryIsReadOnceAndInOrder() throws IOException {
        Run run = bench("read", "--records", "20000", "--size", "1KiB", "--output", "json");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(result.at("/records").asLong()).isEqualTo(20_000);
        assertThat(result.at("/entries").asLong()).isBetween(1L, 20_000L);
        // One answer has a mebibyte at most, and 20,000 records have more than 19.
        assertThat(result.at("/requests").asLong()).isBetween(19L, 20_000L);
        assertThat(result.at("/recordsPerSecond").asDouble()).isPositive();
        assertThat(result.at("/plainMegabytesPerSecond").asDouble()).isPositive();
        assertThat(result.at("/ratioToPlain").asDouble()).isPositive();
    }

    @Test
    void failedAppendsAreCountedAndEndWithExitCodeOne() {
        try (LocalCluster cluster = LocalCluster.builder().start();
                LedgerConnection rival = LedgerConnection.open(cluster.uri())) {
            String uri = cluster.uri().toString();
            CompletableFuture<Run> run = CompletableFuture.supplyAsync(
                    () -> bench("append", "--window", "4", "--warmup", "0s", "--duration", "60s", "--namespace", uri));
            // Somebody recovers the ledger: its writer is fenced, and deletes the ledger perhaps before the recovery is
            // through.
            await().atMost(Duration.ofSeconds(60)).until(() -> !ledgers(rival).isEmpty());
            rival.client()
                    .recover(ledgers(rival).get(0), OpenOptions.DEFAULT)
                    .handle((reader, failure) -> failure == null)
                    .join();

            Run ended = run.join();

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.messages().lines().toList())
                    .last()
                    .asString()
                    .matches("daybook: [1-9][0-9]* appends failed and 0 were not answered; first failure: .*fenced.*");
        }
    }

    @Test
    void clusterThatIsNotThereIsOneLine() {
        Run run = bench("append", "--rate", "10", "--namespace", "zk://127.0.0.1:1/none");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages().lines().toList()).hasSize(1);
        assertThat(run.messages()).contains("127.0.0.1:1");
    }

    private static List<Long> ledgers(LedgerConnection connection) {
        return connection.client().list(-1, 10).join().items();
    }

    private static Run bench(String... arguments) {
        return Run.of(Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
    }
}
