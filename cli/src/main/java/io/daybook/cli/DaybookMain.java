// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import io.daybook.cli.invocation.FailureReport;
import io.daybook.cli.invocation.GlobalOptions;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.Logging;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program {@code daybook}. */
public final class DaybookMain {
    private DaybookMain() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(Terminal.ofProcess(), arguments));
    }

    /** Runs one command on the streams given; returns its exit code. */
    public static int run(Terminal terminal, String... arguments) {
        CommandLine program = new CommandLine(RootCommand.class, factory(terminal))
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.messages(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(new FailureReport(terminal))
                .setParameterExceptionHandler((refused, given) -> refuse(terminal, refused));
        GlobalOptions.removeWhereUseless(program);
        program.setExecutionStrategy(parsed -> {
            GlobalOptions.refuseWhereUseless(parsed);
            if (program.<RootCommand>getCommand().options().verbose()) {
                Logging.showEverything();
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        return program.execute(arguments);
    }

    static CommandLine.IFactory factory(Terminal terminal) {
        return new Commands(terminal);
    }

    private static int refuse(Terminal terminal, ParameterException refused) {
        CommandLine command = refused.getCommandLine();
        String message = String.valueOf(refused.getMessage()).strip();
        terminal.message("daybook: " + message);
        CommandLine.UnmatchedArgumentException.printSuggestions(refused, command.getErr());
        if (message.startsWith("Missing required subcommand")) {
            command.usage(command.getErr());
        }
        terminal.message("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCodes.USAGE;
    }

    /** Makes commands: those that do something take what they are given by their constructor. */
    private record Commands(Terminal terminal) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Invocation.class) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(new Invocation(terminal)));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
