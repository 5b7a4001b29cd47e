// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.history;

import io.daybook.cli.invocation.InputFile;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.WithoutCluster;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.judge.HistoryChecker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code daybook history check}. */
@WithoutCluster
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
        tellWhatCannotBeJudged(history);
        return violations.isEmpty() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static List<Violation> judge(History history) {
        try {
            return HistoryChecker.check(history);
        } catch (IllegalArgumentException unclear) {
            throw new CommandFailure("the history cannot be judged: " + unclear.getMessage(), unclear);
        }
    }

    /** What something holds in the end is known by a final reading alone. */
    private void tellWhatCannotBeJudged(History history) {
        Set<Long> ledgers = new TreeSet<>();
        int streamAppends = 0;
        int streamReadings = 0;
        for (Call call : history.calls()) {
            boolean isOk = call.result() == Call.Result.OK;
            streamAppends += isOk && call.detail() instanceof StreamDetail.Appends ? 1 : 0;
            streamReadings += isOk && call.detail() instanceof StreamDetail.FinalStream ? 1 : 0;
            if (isOk && call.detail() instanceof Call.Append) {
                ledgers.add(call.ledgerId());
            }
        }
        history.calls().stream()
                .filter(call -> call.result() == Call.Result.OK)
                .filter(call -> call.detail() instanceof Call.FinalLog || call.detail() instanceof Call.Deletion)
                .forEach(call -> ledgers.remove(call.ledgerId()));
        if (!ledgers.isEmpty()) {
            invocation
                    .terminal()
                    .message("ledgers without a final reading: " + ledgers.size() + ", such as "
                            + ledgers.iterator().next() + ": whether writes are lost could not be judged there");
        }
        if (streamAppends > 0 && streamReadings == 0) {
            invocation
                    .terminal()
                    .message("no stream has a final reading: whether writes to streams are lost could not be judged");
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

    private static Call parse(String line, int number) {
        try {
            return HistoryFormat.read(line);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailure("line " + number + " is " + wrong.getMessage(), wrong);
        }
    }
}
