// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import io.daybook.runtime.Disk.DirectoryLock;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.system.SystemHost;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The directory of a cluster, held so that no other process uses it meanwhile. A temporary one is removed when it is closed. */
final class ClusterDirectory implements AutoCloseable {
    private final Path path;
    private final boolean temporary;
    private final DirectoryLock lock;
    private final SystemHost host;

    private ClusterDirectory(Path path, boolean temporary, SystemHost host) {
        this.path = path;
        this.temporary = temporary;
        this.host = host;
        lock = host.disk(path.toString()).lock("");
    }

    /** Takes the directory, or a new temporary one. */
    static ClusterDirectory open(Optional<Path> kept) {
        SystemHost host = SystemHost.start();
        try {
            Path path = kept.isPresent()
                    ? Files.createDirectories(kept.get().toAbsolutePath())
                    : Files.createTempDirectory("daybook-");
            return new ClusterDirectory(path, kept.isEmpty(), host);
        } catch (DiskException refused) {
            host.close();
            throw new LocalClusterException(
                    "the cluster directory cannot be used: " + refused.getMessage()
                            + (refused.kind() == DiskException.Kind.LOCKED
                                    ? "; stop that cluster or name another directory"
                                    : ""),
                    refused);
        } catch (IOException broken) {
            host.close();
            throw new LocalClusterException(
                    "the cluster directory " + kept.map(Path::toString).orElse("") + " cannot be made: " + broken,
                    broken);
        }
    }

    Path path() {
        return path;
    }

    /** How many directories of this name followed by 1, 2, … there are without a gap. */
    int numberedChildren(String prefix) {
        int count = 0;
        while (Files.isDirectory(path.resolve(prefix + (count + 1)))) {
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        lock.close();
        host.close();
        if (temporary) {
            try {
                Files.walkFileTree(path, new Removal());
            } catch (IOException left) {
                throw new LocalClusterException(
                        "the temporary directory " + path + " cannot be removed: " + left, left);
            }
        }
    }

    /** Removes a tree from its leaves. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
