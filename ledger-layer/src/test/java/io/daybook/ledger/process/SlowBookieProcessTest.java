// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.testkit.cluster.LocalCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * S-43, V9, P-68: a writer in a process of its own with little memory, real bookies, real sockets, and one bookie behind a proxy that is slow or loses
 * everything. {@code -Ddaybook.slow-bookie.mebibytes=4000 -Ddaybook.slow-bookie.rate=1000000} is the long form.
 */
final class SlowBookieProcessTest {
    private static final long MEBIBYTES = Long.getLong("daybook.slow-bookie.mebibytes", 40);
    private static final long RATE = Long.getLong("daybook.slow-bookie.rate", 100_000);
    private static final long WAIT_SECONDS = 900;
    private static final long MIB = 1024 * 1024;

    @TempDir
    private Path directory;

    private int firstPort(LocalCluster cluster) {
        List<BookieRegistration> live =
                cluster.metadataStores().bookies().live().join();
        return live.get(0).port();
    }

    private Process start(LocalCluster cluster, int port, TcpProxy proxy, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:MaxDirectMemorySize=128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FlatOutWriter.class.getName(),
                        cluster.uri().toString(),
                        Integer.toString(port),
                        Integer.toString(proxy.port()),
                        Long.toString(MEBIBYTES))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static Map<String, Long> outcome(Process process, Path log) throws Exception {
        boolean hasEnded = process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(hasEnded).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text).doesNotContain("OutOfMemory", "OutOfDirectMemory");
        assertThat(text.lines().count()).as(text).isLessThan(60); // No error storm.
        System.out.println(
                text.lines().filter(line -> line.startsWith("acknowledged=")).toList());
        Map<String, Long> values = new TreeMap<>();
        for (String line :
                text.lines().filter(each -> each.startsWith("acknowledged=")).toList()) {
            for (String pair : line.split(" ", -1)) {
                values.put(pair.substring(0, pair.indexOf('=')), Long.valueOf(pair.substring(pair.indexOf('=') + 1)));
            }
        }
        return values;
    }

    @Test
    void aSlowBookieCostsTheWriterNeitherItsMemoryNorItsPace() throws Exception { // S-43
        try (LocalCluster cluster = LocalCluster.builder().bookies(3).start()) {
            int port = firstPort(cluster);
            try (TcpProxy proxy = TcpProxy.to(port)) {
                proxy.limit(RATE);
                Path log = directory.resolve("slow.log");

                Map<String, Long> outcome = outcome(start(cluster, port, proxy, log), log);

                assertThat(outcome).containsEntry("failed", 0L);
                assertThat(outcome).containsEntry("acknowledged", MEBIBYTES * MIB / FlatOutWriter.ENTRY_BYTES);
                // The bounds of a writer and of three bookies; what the links hold is looked at a moment after what is
                // unacknowledged.
                assertThat(outcome.get("heldMax")).isLessThan((32 + 3 * 16 + 4) * MIB);
                // The writer has not waited for the bookie: most is acknowledged that has not even left for it.
                assertThat(proxy.passedBytes()).isLessThan(MEBIBYTES * MIB / 2);
            }
        }
    }

    @Test
    void whenABookieLosesEverythingTheWriterGoesOnWithinItsAddTimeout() throws Exception {
        try (LocalCluster cluster = LocalCluster.builder().bookies(3).start()) {
            int port = firstPort(cluster);
            try (TcpProxy proxy = TcpProxy.to(port)) {
                Path log = directory.resolve("lost.log");
                Process writer = start(cluster, port, proxy, log);
                proxy.swallowAfter(2 * MIB);

                Map<String, Long> outcome = outcome(writer, log);

                assertThat(proxy.isSwallowing()).isTrue();
                assertThat(outcome).containsEntry("failed", 0L);
                assertThat(outcome).containsEntry("acknowledged", MEBIBYTES * MIB / FlatOutWriter.ENTRY_BYTES);
            }
        }
    }
}
