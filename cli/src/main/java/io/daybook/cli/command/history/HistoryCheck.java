// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.history;

import io.daybook.cli.invocation.InputFile;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.judge.HistoryChecker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook history check}. */
@Command(
        name = "check",
        description = {
            "Judges a recorded history of calls on ledgers and streams: prints each violation and how many calls there were.",
            "The exit code is 1 when there is a violation or a line that is not a call."
        })
final class HistoryCheck implements Callable<Integer> {
    @Mixin
    private final Invocation invocation;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "The history, one call a line. Default: standard input.")
    private @Nullable Path file;

    HistoryCheck(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws IOException {
        History history = read();
        if (history.calls().isEmpty()) {
            throw new CommandFailure("there is no call in the history: nothing was checked");
        }
        List<Violation> violations = judge(history);
        Output output = invocation.output();
        for (Violation violation : violations) {
            output.result(
                    violation.toString(),
                    new Fields()
                            .with("check", violation.check())
                            .with("ledgerId", violation.ledgerId())
                            .with("entryId", violation.entryId())
                            .with("text", violation.text()));
        }
        output.result(
                history.calls().size() + " calls, " + violations.size() + " violations",
                new Fields().with("calls", history.calls().size()).with("violations", violations.size()));
        output.flush();
        return violations.isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static List<Violation> judge(History history) {
        try {
            return HistoryChecker.check(history);
        } catch (IllegalArgumentException unclear) {
            throw new CommandFailure("the history cannot be judged: " + unclear.getMessage(), unclear);
        }
    }

    private History read() throws IOException {
        History history = new History();
        try (InputFile input = InputFile.open(Optional.ofNullable(file), invocation.terminal(), "reading");
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(input.bytes(), StandardCharsets.UTF_8))) {
            int number = 0;
            String line = lines.readLine();
            while (line != null) {
                number++;
                if (!line.isBlank()) {
                    history.add(parse(line, number));
                }
                line = lines.readLine();
            }
        }
        return history;
    }

    private static io.daybook.testkit.check.Call parse(String line, int number) {
        try {
            return HistoryFormat.read(line);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure("line " + number + " is " + wrong.getMessage(), wrong);
        }
    }
}
