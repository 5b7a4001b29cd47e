// SPDX-License-Identifier: Apache-2.0
package io.daybook.tutorials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The tutorials do what their page says. */
final class TutorialsTest {
    @Test
    void helloStreamReadsWhatItWroteAndGoesOnWhereItStopped() {
        try (Cluster cluster = Cluster.of(new String[0])) {
            List<String> first = helloStream(cluster);
            List<String> second = helloStream(Cluster.of(new String[] {"--namespace", cluster.uri()}));

            assertThat(first).hasSize(21);
            assertThat(first.subList(0, 10)).allMatch(line -> line.startsWith("wrote 1:"));
            for (int i = 1; i <= 10; i++) {
                assertThat(first.get(9 + i))
                        .startsWith("read 1:")
                        .endsWith(" transaction " + (i - 1) + " 'hello " + i + "'");
            }
            assertThat(first.get(20)).startsWith("followed 2:").endsWith(" transaction 10 'one more'");
            assertThat(second).hasSize(21);
            assertThat(second.get(10)).endsWith(" transaction 11 'hello 1'");
        }
    }

    @Test
    void helloLedgerLosesItsWriterAndNoEntry() {
        try (Cluster cluster = Cluster.of(new String[0])) {
            List<String> lines = printed(out -> new HelloLedger(out).run(cluster.uri()));

            assertThat(lines).hasSize(23);
            assertThat(lines.get(0)).startsWith("ledger ");
            assertThat(lines.get(10)).isEqualTo("wrote 9");
            assertThat(lines.get(11)).isEqualTo("recovered up to 9");
            assertThat(lines.get(12)).isEqualTo("read 0 'entry 0'");
            assertThat(lines.get(21)).isEqualTo("read 9 'entry 9'");
            assertThat(lines.get(22)).isEqualTo("the old writer is fenced");
        }
    }

    @Test
    void otherArgumentsAreRefused() {
        assertThatThrownBy(() -> Cluster.of(new String[] {"--help"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--namespace URI");
    }

    private static List<String> helloStream(Cluster cluster) {
        return printed(out -> new HelloStream(out).run(cluster.uri(), "tutorial/hello"));
    }

    private static List<String> printed(Consumer<PrintStream> tutorial) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        tutorial.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
