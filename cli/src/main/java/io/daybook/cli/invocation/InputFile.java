// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.Progress;
import io.daybook.cli.terminal.Terminal;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The data that a command reads: a file that was named, else standard input. Shows how far the reading is. */
public final class InputFile implements AutoCloseable {
    private final InputStream in;
    private final Progress progress;

    private InputFile(InputStream in, Progress progress) {
        this.in = progress.watch(in);
        this.progress = progress;
    }

    /** Opens it; {@code task} names the work on the progress bar. */
    public static InputFile open(Optional<Path> file, Terminal terminal, String task) throws IOException {
        if (file.isPresent()) {
            Path path = file.get();
            if (Files.isDirectory(path)) {
                throw new CommandFailure("'" + path + "' is a directory: name a file");
            }
            InputStream opened = open(path);
            long size = Files.size(path);
            return new InputFile(opened, Progress.ofBytes(terminal, task, size));
        }
        if (terminal.inIsTerminal()) {
            terminal.message("daybook: reading standard input; end it with Ctrl-D");
            return new InputFile(notClosed(terminal.in()), Progress.none());
        }
        return new InputFile(notClosed(terminal.in()), Progress.ofBytes(terminal, task, -1));
    }

    private static InputStream open(Path path) throws IOException {
        try {
            return Files.newInputStream(path);
        } catch (NoSuchFileException missing) {
            throw new CommandFailure("there is no file '" + path + "': check the path", missing);
        }
    }

    private static InputStream notClosed(InputStream standardInput) {
        return new FilterInputStream(standardInput) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return in.read(target, offset, length);
            }

            @Override
            public void close() {}
        };
    }

    /** The bytes. */
    public InputStream bytes() {
        return in;
    }

    @Override
    public void close() throws IOException {
        progress.close();
        in.close();
    }
}
