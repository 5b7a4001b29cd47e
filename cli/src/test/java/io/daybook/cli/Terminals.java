// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.daybook.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/** Streams for runs that nobody looks at. */
final class Terminals {
    private Terminals() {}

    static Terminal silent() {
        return new Terminal(
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
                false,
                false);
    }
}
