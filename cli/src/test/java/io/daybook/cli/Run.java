// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.daybook.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/** One run of the program inside the test: how it ended and what it wrote. */
public final class Run {
    private final int exitCode;
    private final byte[] out;
    private final String messages;

    private Run(int exitCode, byte[] out, String messages) {
        this.exitCode = exitCode;
        this.out = out;
        this.messages = messages;
    }

    /** Without input. */
    public static Run of(String... arguments) {
        return withInput(new byte[0], arguments);
    }

    /** With standard input from a pipe. */
    public static Run withInput(byte[] input, String... arguments) {
        return withInput(new ByteArrayInputStream(input), arguments);
    }

    /** With standard input from anywhere. */
    public static Run withInput(InputStream input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(input, out, new PrintStream(messages, true, UTF_8), false, false);
        int exitCode = DaybookMain.run(terminal, arguments);
        return new Run(exitCode, out.toByteArray(), messages.toString(UTF_8));
    }

    /** How it ended. */
    public int exitCode() {
        return exitCode;
    }

    /** Standard output. */
    public byte[] outBytes() {
        return out.clone();
    }

    /** Standard output as text. */
    public String out() {
        return new String(out, UTF_8);
    }

    /** Standard error. */
    public String messages() {
        return messages;
    }
}
