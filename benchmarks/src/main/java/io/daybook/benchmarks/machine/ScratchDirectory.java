// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory that goes, with everything in it, when it is closed. */
public record ScratchDirectory(Path path) implements AutoCloseable {
    /** Makes one below the system's directory for temporary files. */
    public static ScratchDirectory create(String prefix) {
        try {
            return new ScratchDirectory(Files.createTempDirectory(prefix));
        } catch (IOException failure) {
            throw new UncheckedIOException("no temporary directory", failure);
        }
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removal());
        } catch (IOException failure) {
            throw new UncheckedIOException("the directory " + path + " cannot be removed", failure);
        }
    }

    /** Removes what is in a directory before the directory. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
