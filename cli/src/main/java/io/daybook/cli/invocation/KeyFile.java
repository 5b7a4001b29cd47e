// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.terminal.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with the key of streams and ledgers that have an HMAC. A key is never on the command line itself, which others can see. */
final class KeyFile {
    private static final int KEY_BYTES_MIN = 16;

    private KeyFile() {}

    /**
     * The bytes of the file, all of them.
     *
     * @param file its path; empty for no key
     * @return at least 16 bytes, or none for no key
     * @throws CommandFailure naming the file, when it cannot be read or holds no key
     */
    static byte[] read(String file) {
        if (file.isEmpty()) {
            return new byte[0];
        }
        try {
            byte[] key = Files.readAllBytes(Path.of(file));
            if (key.length < KEY_BYTES_MIN) {
                throw new CommandFailure(
                        "file '" + file + "' holds no key: a key has at least " + KEY_BYTES_MIN + " bytes");
            }
            return key;
        } catch (IOException unreadable) {
            throw new CommandFailure(
                    "cannot read the key in file '" + file + "': " + FailureReport.reasonOf(unreadable), unreadable);
        }
    }
}
