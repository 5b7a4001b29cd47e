// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Schemas and generated sources are the ones that the compiler saw and wrote, by the hashes it left in {@code SCHEMA.sha256}. */
final class GeneratedSourcesTest {
    private static final Path SCHEMAS = Path.of("src/main/fbs");
    private static final Path GENERATED = Path.of("src/generated/java");
    private static final Path RECORDED = Path.of("src/generated/SCHEMA.sha256");

    @Test
    void schemasAndGeneratedSourcesAreThoseOfTheLastGeneration() throws IOException {
        Map<String, String> recorded = recordedHashes();

        Map<String, String> present = new TreeMap<>(hashesUnder(SCHEMAS));
        present.putAll(hashesUnder(GENERATED));

        assertThat(present)
                .as("run tools/flatc/flatc.sh and commit what it writes")
                .isEqualTo(recorded);
    }

    private static Map<String, String> recordedHashes() throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        for (String line : Files.readAllLines(RECORDED)) {
            String[] hashAndFile = line.split("  ", 2);
            hashes.put(hashAndFile[1], hashAndFile[0]);
        }
        return hashes;
    }

    private static Map<String, String> hashesUnder(Path directory) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(Files::isRegularFile).forEach(file -> hashes.put(file.toString(), hash(file)));
            }
        }
        return hashes;
    }

    private static String hash(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
