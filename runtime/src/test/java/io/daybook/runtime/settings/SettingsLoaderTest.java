// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.daybook.runtime.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Reading configuration records, and all that can be wrong with the text. */
final class SettingsLoaderTest {
    private enum WaitFor {
        ACK_QUORUM,
        WRITE_QUORUM
    }

    @SettingsGroup("bookie.journal")
    private record JournalConfig(
            @Setting(doc = "Files in the ring.", defaultValue = "4", min = "2", max = "64")
            int ringFiles,

            @Setting(
                    doc = "Most bytes of a commit.",
                    defaultValue = "256KiB",
                    min = "4KiB",
                    max = "8MiB",
                    inBytes = true)
            int groupCommitBytesMax,

            @Setting(doc = "Bytes of a file.", defaultValue = "64MiB", min = "64KiB")
            ByteSize fileBytes,

            @Setting(doc = "Longest pause.", defaultValue = "5ms", max = "1s")
            Duration pauseMax,

            SyncConfig sync) {
        private JournalConfig {
            if (groupCommitBytesMax > fileBytes.bytes()) {
                throw new IllegalArgumentException("group-commit-bytes-max is more than file-bytes: lower it");
            }
        }
    }

    private record SyncConfig(
            @Setting(doc = "Whether to sync.", defaultValue = "true")
            boolean isOn,

            @Setting(doc = "Share.", defaultValue = "0.5", min = "0", max = "1")
            double share) {}

    @SettingsGroup("client")
    private record ClientConfig(
            @Setting(doc = "Name of the client.", defaultValue = "")
            String name,

            @Setting(doc = "Where to.", defaultValue = "127.0.0.1:3181")
            Endpoint address,

            @Setting(doc = "When an append is done.", defaultValue = "ack-quorum")
            WaitFor waitFor,

            @Setting(doc = "Racks.", defaultValue = "") List<String> racks,

            @Setting(doc = "Entries.", defaultValue = "1_000", min = "-5")
            long entriesMax) {}

    private static SettingsException refusalOf(String text, Map<String, String> environment) {
        return catchThrowableOfType(
                SettingsException.class,
                () -> SettingsLoader.ofText("daybook.properties", text)
                        .withEnvironment(environment)
                        .load(List.of(JournalConfig.class, ClientConfig.class)));
    }

    @Test
    void whatIsNotSetHasItsDefault() {
        JournalConfig journal = SettingsLoader.defaults(JournalConfig.class);
        ClientConfig client = SettingsLoader.defaults(ClientConfig.class);

        assertThat(journal)
                .isEqualTo(new JournalConfig(
                        4, 256 * 1024, new ByteSize(64 << 20), Duration.ofMillis(5), new SyncConfig(true, 0.5)));
        assertThat(client)
                .isEqualTo(new ClientConfig("", new Endpoint("127.0.0.1", 3181), WaitFor.ACK_QUORUM, List.of(), 1000));
    }

    @Test
    void everyTypeIsReadFromText() {
        Settings settings = SettingsLoader.ofText("file", """
                        # a comment
                        bookie.journal.ring-files = 8
                        bookie.journal.group-commit-bytes-max = 1MiB
                        bookie.journal.file-bytes = 2 GiB
                        bookie.journal.pause-max = PT0.25S
                        bookie.journal.sync.is-on = FALSE
                        bookie.journal.sync.share = 0.75
                        client.name = Über
                        client.address = [::1]:80
                        client.wait-for = write-quorum
                        client.racks = a, b ,,c
                        client.entries-max = -5
                        """).load(List.of(JournalConfig.class, ClientConfig.class));

        assertThat(settings.get(JournalConfig.class))
                .isEqualTo(new JournalConfig(
                        8, 1 << 20, new ByteSize(2L << 30), Duration.ofMillis(250), new SyncConfig(false, 0.75)));
        assertThat(settings.get(ClientConfig.class))
                .isEqualTo(new ClientConfig(
                        "Über", new Endpoint("[::1]", 80), WaitFor.WRITE_QUORUM, List.of("a", "b", "c"), -5));
    }

    @Test
    void codeGivesValuesByKey() {
        JournalConfig journal =
                SettingsLoader.with(JournalConfig.class, Map.of("bookie.journal.group-commit-bytes-max", "4KiB"));

        assertThat(journal.groupCommitBytesMax()).isEqualTo(4096);
        assertThat(journal.ringFiles()).isEqualTo(4);
    }

    @Test
    void propertiesAreASource() {
        Properties properties = new Properties();
        properties.setProperty("bookie.journal.ring-files", "9");

        assertThat(SettingsLoader.of("properties", properties)
                        .load(List.of(JournalConfig.class))
                        .get(JournalConfig.class)
                        .ringFiles())
                .isEqualTo(9);
    }

    @Test
    void environmentOverridesTheFile() {
        JournalConfig journal = SettingsLoader.ofText("file", "bookie.journal.ring-files=8\n")
                .withEnvironment(Map.of(
                        "DAYBOOK_BOOKIE_JOURNAL_RING_FILES", "16",
                        "DAYBOOK_BOOKIE_JOURNAL_GROUP_COMMIT_BYTES_MAX", "8KiB",
                        "DAYBOOK_NAMESPACE", "zk://elsewhere",
                        "PATH", "/bin"))
                .load(List.of(JournalConfig.class))
                .get(JournalConfig.class);

        assertThat(journal.ringFiles()).isEqualTo(16);
        assertThat(journal.groupCommitBytesMax()).isEqualTo(8192);
    }

    @Test
    void unknownKeyIsRefusedAndTheNearestKnownOneSuggested() {
        // D-143
        assertThat(refusalOf("bookie.jurnal.ring-file = 4", Map.of()))
                .hasMessage("daybook.properties: bookie.jurnal.ring-file is not a setting:"
                        + " did you mean bookie.journal.ring-files?");
        assertThat(refusalOf("zzz = 4", Map.of())).hasMessage("daybook.properties: zzz is not a setting: remove it");
    }

    @Test
    void unknownVariableOfAGroupIsRefused() {
        assertThat(refusalOf("", Map.of("DAYBOOK_CLIENT_RACK", "a")))
                .hasMessage("daybook.properties: environment variable DAYBOOK_CLIENT_RACK is not a setting:"
                        + " did you mean DAYBOOK_CLIENT_RACKS?");
    }

    @Test
    void valueOutOfRangeIsRefusedWithTheRangeAndTheDefault() {
        assertThat(refusalOf("bookie.journal.ring-files = 65", Map.of()))
                .hasMessage("daybook.properties: bookie.journal.ring-files: '65' is out of range:"
                        + " write a number from 2 to 64, or leave it out for the default of 4");
        assertThat(refusalOf("bookie.journal.file-bytes = 1KiB", Map.of())).hasMessageContaining("size from 64KiB,");
        assertThat(refusalOf("bookie.journal.pause-max = 2s", Map.of())).hasMessageContaining("duration up to 1s,");
        assertThat(refusalOf("", Map.of("DAYBOOK_BOOKIE_JOURNAL_SYNC_SHARE", "1.5")))
                .hasMessageContaining("environment variable DAYBOOK_BOOKIE_JOURNAL_SYNC_SHARE: '1.5' is out of range");
    }

    @Test
    void boundsThemselvesAreInRange() {
        for (String value : List.of("2", "64")) {
            assertThat(SettingsLoader.with(JournalConfig.class, Map.of("bookie.journal.ring-files", value))
                            .ringFiles())
                    .isEqualTo(Integer.parseInt(value));
        }
    }

    @Test
    void malformedValueIsRefusedWithTheForm() {
        Map<String, String> refusals = Map.of(
                "bookie.journal.ring-files = four", "'four' is not a whole number",
                "bookie.journal.ring-files = 9999999999", "'9999999999' is too large a number",
                "bookie.journal.group-commit-bytes-max = 3GiB", "'3GiB' is too large a size",
                "bookie.journal.file-bytes = 64MB", "'64MB' is not a size: write a whole number with B, KiB, MiB",
                "bookie.journal.pause-max = 5", "'5' is not a duration: write a whole number with ns, us, ms",
                "bookie.journal.sync.is-on = yes", "'yes' is neither true nor false",
                "bookie.journal.sync.share = NaN", "'NaN' is not a number",
                "client.address = here", "'here' is not of the form host:port",
                "client.wait-for = all", "'all' is none of ack-quorum, write-quorum");

        refusals.forEach((line, reason) -> assertThat(refusalOf(line, Map.of()))
                .hasMessageContaining(line.substring(0, line.indexOf(' ')) + ": " + reason));
    }

    @Test
    void allProblemsAreToldTogether() {
        SettingsException refusal = refusalOf("""
                        bookie.journal.ring-files = 0
                        bookie.journal.file-bytes = lots
                        nonsense = 1
                        client.name = a
                        client.name = b
                        """, Map.of("DAYBOOK_CLIENT_WAIT_FOR", "all"));

        assertThat(refusal.problems()).hasSize(5);
        assertThat(String.valueOf(refusal.getMessage()).lines()).hasSize(6);
        assertThat(refusal)
                .hasMessageStartingWith("daybook.properties: 5 problems\n")
                .hasMessageContaining("client.name is set twice")
                .hasMessageContaining("nonsense is not a setting")
                .hasMessageContaining("bookie.journal.ring-files: '0'")
                .hasMessageContaining("bookie.journal.file-bytes: 'lots'")
                .hasMessageContaining("DAYBOOK_CLIENT_WAIT_FOR: 'all'");
    }

    @Test
    void whatTheConstructorRefusesIsAProblem() {
        assertThat(refusalOf(
                                "bookie.journal.file-bytes=64KiB\nbookie.journal.group-commit-bytes-max=128KiB\n",
                                Map.of())
                        .problems())
                .containsExactly("bookie.journal: group-commit-bytes-max is more than file-bytes: lower it");
    }

    @Test
    void lineEndedByABackslashGoesOnInTheNext() {
        JournalConfig journal = SettingsLoader.ofText(
                        "file", "# a comment ends \\\nbookie.journal.ring-files = \\\n    5\n")
                .load(List.of(JournalConfig.class))
                .get(JournalConfig.class);

        assertThat(journal.ringFiles()).isEqualTo(5);
    }

    @Test
    void recordThatWasNotLoadedIsNotFound() {
        Settings settings = SettingsLoader.of("empty", Map.of()).load(List.of(ClientConfig.class));

        assertThatThrownBy(() -> settings.get(JournalConfig.class)).isInstanceOf(IllegalArgumentException.class);
    }

    private record NoRange(
            @Setting(doc = "x", defaultValue = "9", max = "5")
            int number) {}

    private record NoDoc(
            @Setting(doc = " ", defaultValue = "9") int number) {}

    private record NoDefault(
            @Setting(doc = "x", defaultValue = "") int number) {}

    private record NoSetting(int number) {}

    private record NoType(
            @Setting(doc = "x", defaultValue = "") Object thing) {}

    @Test
    void declarationThatMakesNoSenseIsABug() {
        for (Class<? extends Record> type : List.<Class<? extends Record>>of(
                NoRange.class, NoDoc.class, NoDefault.class, NoSetting.class, NoType.class)) {
            assertThatThrownBy(() -> SettingsLoader.defaults(type)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void documentListsEverySettingOfEveryRecord() {
        String page = SettingsDocument.render(List.of(JournalConfig.class, ClientConfig.class));

        assertThat(page.lines())
                .contains(
                        "## bookie.journal",
                        "| setting | type | default | range | what it does |",
                        "| `bookie.journal.ring-files` | number | `4` | from 2 to 64 | Files in the ring. |",
                        "| `bookie.journal.group-commit-bytes-max` | size | `256KiB` | from 4KiB to 8MiB | Most bytes of a commit. |",
                        "| `bookie.journal.pause-max` | duration | `5ms` | up to 1s | Longest pause. |",
                        "| `bookie.journal.sync.share` | fraction | `0.5` | from 0.0 to 1.0 | Share. |",
                        "## client",
                        "| `client.racks` | list |  |  | Racks. |",
                        "| `client.wait-for` | one of ack-quorum, write-quorum | `ack-quorum` |  | When an append is done. |");
    }
}
