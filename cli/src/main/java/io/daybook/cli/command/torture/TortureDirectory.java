// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Where a torture keeps everything: a directory that was named, or one of its own, which is removed when nothing was found. */
final class TortureDirectory {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Keep everything in this new directory, the bookie's messages too. Default: a temporary one that"
                            + " is removed when nothing was found.")
    private Optional<Path> data = Optional.empty();

    /** Makes it. */
    Path make() throws IOException {
        return data.isPresent() ? Files.createDirectories(data.get()) : temporary();
    }

    static Path temporary() throws IOException {
        return Files.createTempDirectory("daybook-torture");
    }

    /** Ends a report: tells the violations and what is kept because of them, else removes what nobody asked to keep. */
    void finish(Path directory, List<String> violations, StringBuilder report) throws IOException {
        report.append("violations: ").append(violations.size());
        violations.forEach(violation -> report.append('\n').append(violation));
        if (!violations.isEmpty()) {
            report.append("\nkept: ").append(directory);
        } else if (data.isEmpty()) {
            remove(directory);
        }
    }

    /** Removes a directory with all that is in it. */
    static void remove(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
