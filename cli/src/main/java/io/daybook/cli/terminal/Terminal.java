// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The three streams of a process: data in, data out, messages for people.
 *
 * @param out not a {@link PrintStream}, which would hide that a pipe was closed or a disk is full
 * @param inIsTerminal whether somebody would have to type the input
 * @param messagesAreSeen whether {@code messages} is a terminal, on which a progress bar makes sense
 */
public record Terminal(
        InputStream in, OutputStream out, PrintStream messages, boolean inIsTerminal, boolean messagesAreSeen) {
    /** Set by the start script to the numbers of the streams that are terminals, such as {@code 02}. */
    private static final String TERMINALS = "daybook.terminals";

    /** The streams of this process. */
    public static Terminal ofProcess() {
        String terminals = System.getProperty(TERMINALS, "");
        return new Terminal(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                terminals.contains("0"),
                terminals.contains("2"));
    }

    /** One line for people. */
    public void message(String line) {
        messages.println(line);
    }
}
