// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.terminal.OutputForm;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command has. They stand once, in the root command. */
public final class GlobalOptions {
    /** The name under which the root command mixes these in. */
    public static final String NAME = "global";

    @Option(
            names = "--namespace",
            scope = ScopeType.INHERIT,
            paramLabel = "URI",
            defaultValue = "${env:DAYBOOK_NAMESPACE:-zk://127.0.0.1:2181/daybook}",
            description =
                    "The cluster: zk://host:port,host:port/path. Default: the environment variable DAYBOOK_NAMESPACE,"
                            + " else zk://127.0.0.1:2181/daybook.")
    private String namespace = "";

    @Option(
            names = "--digest-key-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            defaultValue = "${env:DAYBOOK_DIGEST_KEY_FILE:-}",
            description =
                    "The bytes of this file, all of them and at least 16, are the key of streams that have an HMAC. Default: the"
                            + " environment variable DAYBOOK_DIGEST_KEY_FILE, else none.")
    private String digestKeyFile = "";

    @Option(
            names = "--output",
            scope = ScopeType.INHERIT,
            paramLabel = "FORM",
            defaultValue = "text",
            description =
                    "text for people, json for programs: one object on one line per result or row. Default: text.")
    private OutputForm output = OutputForm.text;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of a failure, and the log of what happens inside.")
    private boolean verbose;

    /** Those of the program that {@code command} is part of. */
    static GlobalOptions of(CommandSpec command) {
        CommandSpec mixin = Objects.requireNonNull(command.root().mixins().get(NAME), "the root command mixes them in");
        return (GlobalOptions) mixin.userObject();
    }

    /** The cluster. */
    public String namespace() {
        return namespace;
    }

    /** The file with the key of streams that have an HMAC; empty for none. */
    public String digestKeyFile() {
        return digestKeyFile;
    }

    /** For whom results are written. */
    public OutputForm output() {
        return output;
    }

    /** Whether a failure is shown with its stack trace. */
    public boolean verbose() {
        return verbose;
    }
}
