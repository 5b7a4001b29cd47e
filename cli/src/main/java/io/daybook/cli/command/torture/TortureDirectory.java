// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.torture;

import io.daybook.benchmarks.machine.ScratchDirectory;
import io.daybook.cli.invocation.Shutdown;
import io.daybook.cli.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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
    Place open(Terminal terminal) throws IOException {
        return data.isPresent()
                ? new Place(terminal, Files.createDirectories(data.get()), Optional.empty())
                : temporary(terminal);
    }

    /** Makes one of its own. */
    static Place temporary(Terminal terminal) {
        ScratchDirectory own = ScratchDirectory.create("daybook-torture");
        return new Place(terminal, own.path(), Optional.of(own));
    }

    /**
     * A directory while a torture uses it. It is removed in the end when it was not named and the torture has gone well; what is left of a failure is kept. When the process is told to end
     * meanwhile, what it started is killed and what nobody asked to keep is removed.
     */
    static final class Place implements AutoCloseable {
        private static final int ATTEMPTS_MAX = 20;
        private static final long PAUSE_NANOS = 20_000_000;

        private final Terminal terminal;
        private final Path path;
        private final Shutdown whenInterrupted;
        private final Optional<ScratchDirectory> own;
        private boolean isToldOf;
        private boolean isNeeded = true;

        Place(Terminal terminal, Path path, Optional<ScratchDirectory> own) {
            this.terminal = terminal;
            this.path = path;
            this.own = own;
            this.whenInterrupted = Shutdown.does(this::abandon);
        }

        /** What runs meanwhile may start another process, or write a file, until the last moment: then it is done again. */
        private void abandon() {
            Shutdown.killChildren();
            for (int attempt = 1; own.isPresent() && attempt <= ATTEMPTS_MAX && Files.exists(path); attempt++) {
                try {
                    own.get().close();
                } catch (UncheckedIOException inUse) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    Shutdown.killChildren();
                }
            }
        }

        Path path() {
            return path;
        }

        /** Ends a report: tells the violations and what is kept because of them. */
        void finish(List<String> violations, StringBuilder report) {
            report.append("violations: ").append(violations.size());
            violations.forEach(violation -> report.append('\n').append(violation));
            if (violations.isEmpty()) {
                wentWell();
            } else {
                report.append("\nkept: ").append(path);
                isToldOf = true;
            }
        }

        /** Nobody needs what is in it. */
        void wentWell() {
            isNeeded = false;
        }

        /** Removes what nobody needs, unless the process is ending and does that itself. */
        @Override
        public void close() {
            whenInterrupted.close();
            if (Shutdown.isUnderWay()) {
                return;
            }
            if (!isNeeded) {
                own.ifPresent(ScratchDirectory::close);
            } else if (!isToldOf) {
                terminal.message("kept: " + path);
            }
        }
    }
}
