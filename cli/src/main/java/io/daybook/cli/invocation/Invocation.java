// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.bookie.ExitCode;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Terminal;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.stream.Namespace;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a running command is given: the streams of the process, the global options, and connections to the cluster that they name. */
@Command
public final class Invocation {
    private static final long CONNECT_MILLIS_MAX = 10_000;

    private final Terminal terminal;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** On these streams. */
    public Invocation(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The streams of the process. */
    public Terminal terminal() {
        return terminal;
    }

    /** The options that every command has. */
    public GlobalOptions options() {
        return GlobalOptions.of(command);
    }

    /** A new writer of results on standard output. */
    public Output output() {
        return new Output(terminal.out(), options().output());
    }

    /** Refuses the command line, for this reason, unless the condition holds. */
    public void require(boolean condition, String refusal) {
        if (!condition) {
            throw new ParameterException(command.commandLine(), refusal);
        }
    }

    /** Connects to the streams of the cluster. The caller closes it. */
    public Namespace openNamespace() {
        return Namespace.open(namespaceUri().toString(), keyBytes());
    }

    /** To open ledgers, those that have an HMAC too. */
    public OpenOptions openOptions() {
        return OpenOptions.DEFAULT.withKey(digestKey());
    }

    /** The key of streams and ledgers that have an HMAC; {@link DigestKey#NONE} when none is given. */
    public DigestKey digestKey() {
        byte[] key = keyBytes();
        return key.length == 0 ? DigestKey.NONE : DigestKey.of(key);
    }

    private byte[] keyBytes() {
        return KeyFile.read(options().digestKeyFile());
    }

    /** Connects to the metadata of the cluster. The caller closes it. */
    public MetadataStores openStores() {
        return MetadataStoresProvider.connect(namespaceUri(), CONNECT_MILLIS_MAX);
    }

    /** The same for a command of a bookie, which then ends as {@code bookie start} does when nobody answers. The caller closes it. */
    public MetadataStores openStoresForBookie() {
        try {
            return openStores();
        } catch (MetadataException failure) {
            throw new CommandFailure(ExitCode.METADATA.code(), String.valueOf(failure.getMessage()), failure);
        }
    }

    /** The namespace of this call. */
    public URI namespaceUri() {
        String text = options().namespace();
        try {
            return URI.create(text);
        } catch (IllegalArgumentException malformed) {
            throw new CommandFailure("'" + text + "' is not a namespace URI: use zk://host:port/path", malformed);
        }
    }
}
