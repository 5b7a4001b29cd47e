// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.ledger.handle.Defects;
import io.daybook.runtime.Invariants.InvariantViolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dialogues of {@code src/test/resources/transcripts}: they document the protocol and must stay as they are. After a wanted change run with
 * {@code -Ddaybook.transcripts.write=true} and read the difference.
 */
final class TranscriptTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/transcripts");

    static Stream<String> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void theDialogueIsAsWritten(String name) throws IOException {
        String written = Files.readString(DIRECTORY.resolve(name));

        String played = new Transcript(List.of()).play(written);

        if (Boolean.getBoolean("daybook.transcripts.write")) {
            Files.writeString(DIRECTORY.resolve(name), played);
        } else {
            assertThat(played).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @CsvSource({
        Defects.FENCE_GAP + ",d1-fence-gap.txt",
        Defects.BELOW_LAST_FRAGMENT + ",d2-empty-last-fragment.txt",
        Defects.ONE_DENIAL_DECIDES + ",d3-one-denial.txt",
        Defects.EARLY_ENSEMBLE_COMMIT + ",d4-private-ensemble.txt",
        Defects.READS_CHANGED_ENSEMBLE + ",d5-reads-old-ensemble.txt",
        Defects.RAISED_CONFIRMED + ",d6-verbatim-copies.txt",
        Defects.UNRECORDED_ENSEMBLE + ",d7-unrecorded-ensemble.txt",
        Defects.STALE_ACKS + ",d8-stale-acks.txt",
        Defects.OWN_WRITE_IS_FOREIGN + ",d18-own-close.txt"
    })
    void aPlantedDefectShowsInItsDialogue(String defect, String name) throws IOException {
        String written = Files.readString(DIRECTORY.resolve(name));

        assertThat(playWith(defect, written)).isNotEqualTo(written);
    }

    /** With a defect the play may end in a violated invariant, which shows it as well. */
    private static String playWith(String defect, String script) {
        try {
            return new Transcript(List.of(defect)).play(script);
        } catch (IllegalArgumentException | InvariantViolation violated) {
            return violated.toString();
        }
    }
}
