// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.terminal.OutputForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The options that every command has, but for those {@link WithoutCluster}. They stand once, in the root command. */
public final class GlobalOptions {
    /** The name under which the root command mixes these in. */
    public static final String NAME = "global";

    private static final List<String> OF_CLUSTERS = List.of("--namespace", "--digest-key-file");

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
                    "The bytes of this file, all of them and at least 16, are the key of streams and ledgers that have an HMAC. Default: the"
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

    /** Takes those that name a cluster from commands that talk to none; they are then unknown to it. */
    public static void removeWhereUseless(CommandLine program) {
        for (CommandLine command : program.getSubcommands().values()) {
            removeWhereUseless(command);
            CommandSpec spec = command.getCommandSpec();
            if (isWithoutCluster(spec)) {
                OF_CLUSTERS.forEach(name -> spec.remove(spec.findOption(name)));
            }
        }
    }

    /** Refuses those that name a cluster when they stand anywhere before the name of a command that talks to none. */
    public static void refuseWhereUseless(ParseResult parsed) {
        List<ParseResult> levels = new ArrayList<>(List.of(parsed));
        while (levels.get(levels.size() - 1).hasSubcommand()) {
            levels.add(levels.get(levels.size() - 1).subcommand());
        }
        CommandSpec command = levels.get(levels.size() - 1).commandSpec();
        for (String name : OF_CLUSTERS) {
            if (isWithoutCluster(command) && levels.stream().anyMatch(level -> level.hasMatchedOption(name))) {
                throw new ParameterException(
                        command.commandLine(), name + " means nothing to '" + command.qualifiedName() + "'");
            }
        }
    }

    private static boolean isWithoutCluster(CommandSpec command) {
        return command.userObject().getClass().isAnnotationPresent(WithoutCluster.class);
    }

    /** Those of the program that {@code command} is part of. */
    static GlobalOptions of(CommandSpec command) {
        CommandSpec mixin = Objects.requireNonNull(command.root().mixins().get(NAME), "the root command mixes them in");
        return (GlobalOptions) mixin.userObject();
    }

    /** The cluster. */
    public String namespace() {
        return namespace;
    }

    /** The file with the key of streams and ledgers that have an HMAC; empty for none. */
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
