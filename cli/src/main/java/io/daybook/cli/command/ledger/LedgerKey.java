// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.ledger;

import io.daybook.cli.terminal.CommandFailure;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.DigestType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --key-file}: the key of a ledger with an HMAC. It is never on the command line itself, which others can see. */
final class LedgerKey {
    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The bytes of this file, all of them and at least 16, are the key of the ledger:"
                    + " its entries have an HMAC-SHA-256, and it is read and recovered with this key only."
                    + " Default: a ledger without key.")
    private Optional<Path> file = Optional.empty();

    /** To open a ledger. */
    OpenOptions toOpen() throws IOException {
        return OpenOptions.DEFAULT.withKey(key());
    }

    /** To make a ledger. */
    CreateOptions toCreate() throws IOException {
        return file.isEmpty() ? CreateOptions.DEFAULT : CreateOptions.DEFAULT.withDigest(DigestType.HMAC_SHA256, key());
    }

    private DigestKey key() throws IOException {
        if (file.isEmpty()) {
            return DigestKey.NONE;
        }
        byte[] bytes = Files.readAllBytes(file.get());
        try {
            return DigestKey.of(bytes);
        } catch (IllegalArgumentException tooShort) {
            throw new CommandFailure("file '" + file.get() + "' holds no key: " + tooShort.getMessage(), tooShort);
        }
    }
}
