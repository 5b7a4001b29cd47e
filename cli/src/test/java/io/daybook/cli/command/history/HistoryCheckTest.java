// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import org.junit.jupiter.api.Test;

/** {@code daybook history check}, from the command line to its exit code. */
final class HistoryCheckTest {
    private static final String APPENDED = """
            {"process":"w","kind":"append-stream","records":"w/0/1a@1:0:0#5","stream":"s","ledger":-1,"invoked":1,"ended":2,"result":"OK"}
            """;

    @Test
    void goodHistoryFromStandardInputIsDone() {
        Run run = Run.withInput(APPENDED.getBytes(UTF_8), "history", "check");

        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.out()).isEqualTo("1 calls, 0 violations\n");
        assertThat(run.messages()).contains("no stream has a final reading");
    }

    @Test
    void whatWasNotReadInTheEndIsNotCalledKept() {
        String append = """
                {"process":"w","kind":"append","value":"w/0/1a","entry":0,"ledger":%d,"invoked":1,"ended":2,"result":"OK"}
                """;
        String reading = """
                {"process":"j","kind":"final","values":"w/0/1a","ledger":3,"invoked":3,"ended":4,"result":"OK"}
                """;

        Run whole = Run.withInput((append.formatted(3) + reading).getBytes(UTF_8), "history", "check");
        Run part = Run.withInput(
                (append.formatted(3) + append.formatted(4) + reading).getBytes(UTF_8), "history", "check");

        assertThat(whole.exitCode()).as(whole.messages()).isZero();
        assertThat(whole.messages()).isEmpty();
        assertThat(part.messages()).contains("ledgers without a final reading: 1, such as 4");
    }

    @Test
    void violationFailsAndIsNamed() {
        String history = APPENDED + """
                {"process":"j","kind":"final-stream","position":"0:0:0","records":"","stream":"s","ledger":-1,"invoked":3,"ended":4,"result":"OK"}
                """;

        Run run = Run.withInput(history.getBytes(UTF_8), "history", "check", "--output", "json");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("\"check\":\"lost-write\"", "\"violations\":1");
    }

    @Test
    void lineThatIsNoCallIsNamed() {
        Run run = Run.withInput((APPENDED + "nonsense\n").getBytes(UTF_8), "history", "check");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("line 2 is not a call of a history: nonsense");
    }

    @Test
    void historyThatCannotBeJudgedIsNotCalledGood() {
        String history = APPENDED + """
                {"process":"m","kind":"rename-stream","to":"t","shift":"0","first":"1","stream":"s","ledger":-1,"invoked":3,"ended":4,"result":"OK"}
                {"process":"d","kind":"delete-stream","stream":"t","ledger":-1,"invoked":5,"ended":6,"result":"UNKNOWN"}
                """;

        Run run = Run.withInput(history.getBytes(UTF_8), "history", "check");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("cannot be judged", "renamed and deleted");
    }

    @Test
    void emptyHistoryIsNotCalledGood() {
        Run run = Run.withInput(new byte[0], "history", "check");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("nothing was checked");
    }

    @Test
    void missingFileIsNamed() {
        Run run = Run.of("history", "check", "no-such-history.jsonl");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.messages()).contains("no-such-history.jsonl");
    }
}
