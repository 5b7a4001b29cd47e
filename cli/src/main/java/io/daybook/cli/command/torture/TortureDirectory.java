// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.benchmarks.machine.ScratchDirectory;
import io.daybook.cli.invocation.Shutdown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    Place open() throws IOException {
        return data.isPresent() ? new Place(Files.createDirectories(data.get()), Optional.empty()) : temporary();
    }

    /** Makes one that goes when it is closed. */
    static Place temporary() {
        ScratchDirectory own = ScratchDirectory.create("daybook-torture");
        return new Place(own.path(), Optional.of(own));
    }

    /** A directory while a torture uses it. When the process is told to end meanwhile, what it started is killed and what nobody asked to keep is removed. */
    static final class Place implements AutoCloseable {
        private static final int ATTEMPTS_MAX = 20;

        private final Path path;
        private final Shutdown whenInterrupted;
        private Optional<ScratchDirectory> own;

        Place(Path path, Optional<ScratchDirectory> own) {
            this.path = path;
            this.own = own;
            this.whenInterrupted = Shutdown.does(() -> abandon(ATTEMPTS_MAX));
        }

        /** What runs meanwhile may start another process, or write a file, until the last moment: then it is done again. */
        private void abandon(int attempts) {
            Shutdown.killChildren();
            try {
                own.ifPresent(ScratchDirectory::close);
            } catch (UncheckedIOException inUse) {
                if (attempts <= 1) {
                    throw inUse;
                }
                abandon(attempts - 1);
            }
        }

        Path path() {
            return path;
        }

        /** Ends a report: tells the violations and what is kept because of them. */
        void finish(List<String> violations, StringBuilder report) {
            report.append("violations: ").append(violations.size());
            violations.forEach(violation -> report.append('\n').append(violation));
            if (!violations.isEmpty()) {
                report.append("\nkept: ").append(path);
                own = Optional.empty();
            }
        }

        /** Removes what nobody asked to keep, unless the process is ending and does that itself. */
        @Override
        public void close() {
            whenInterrupted.close();
            if (!Shutdown.isUnderWay()) {
                own.ifPresent(ScratchDirectory::close);
            }
        }
    }
}
