// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.bookie.BookieStartException;
import io.daybook.cli.format.MalformedInputException;
import io.daybook.cli.terminal.ClosedPipe;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Terminal;
import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.MetadataException;
import io.daybook.runtime.settings.SettingsException;
import io.daybook.stream.StreamException;
import io.daybook.testkit.cluster.LocalClusterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells people in one line why a command failed, and the process what to end with. */
public final class FailureReport implements IExecutionExceptionHandler {
    private final Terminal terminal;

    /** On these streams. */
    public FailureReport(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        Throwable cause = causeOf(failure);
        if (ClosedPipe.isCauseOf(cause)) {
            // Whoever read the output has seen enough.
            return ExitCodes.DONE;
        }
        if (Shutdown.isUnderWay()) {
            return ExitCodes.FAILED;
        }
        GlobalOptions options = GlobalOptions.of(command.getCommandSpec());
        terminal.message("daybook: " + oneLine(describe(cause, options.verbose())));
        if (options.verbose()) {
            failure.printStackTrace(terminal.messages());
        }
        return exitCode(cause);
    }

    private static int exitCode(Throwable cause) {
        if (cause instanceof CommandFailure refused) {
            return refused.exitCode();
        }
        return cause instanceof BookieStartException refused
                ? refused.exitCode().code()
                : ExitCodes.FAILED;
    }

    /** What failed, without the wrappers that futures and streams put around it. */
    public static Throwable causeOf(Throwable failure) {
        Throwable cause = failure;
        Throwable inner = cause.getCause();
        while (inner != null && isWrapper(cause)) {
            cause = inner;
            inner = cause.getCause();
        }
        return cause;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UncheckedIOException;
    }

    private static String describe(Throwable failure, boolean verbose) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof StreamException.WrongKey || failure instanceof LedgerException.WrongKey) {
            return message + "; --digest-key-file names the file that holds it";
        }
        if (failure instanceof StreamException
                || failure instanceof LedgerException
                || failure instanceof MetadataException
                || failure instanceof SettingsException
                || failure instanceof LocalClusterException
                || failure instanceof BookieStartException
                || failure instanceof CommandFailure
                || failure instanceof MalformedInputException
                || failure instanceof IllegalArgumentException) {
            return message;
        }
        if (failure instanceof NoSuchFileException missing) {
            return "there is no file '" + missing.getFile() + "'";
        }
        if (failure instanceof AccessDeniedException denied) {
            return "file '" + denied.getFile() + "' may not be used by this user";
        }
        if (failure instanceof FileSystemException file) {
            return "file '" + file.getFile() + "': " + file.getReason();
        }
        if (failure instanceof IOException) {
            return "input or output failed: " + message;
        }
        return "internal error: " + failure + (verbose ? "" : " (--verbose shows where)");
    }

    /** Why a file cannot be read, without its name. */
    public static String reasonOf(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        if (failure instanceof AccessDeniedException) {
            return "this user may not read it";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not UTF-8 text";
        }
        return String.valueOf(failure.getMessage());
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
