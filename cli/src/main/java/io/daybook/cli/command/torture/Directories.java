// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes directories that a command made for itself. */
final class Directories {
    private Directories() {}

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
