// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Copies;
import io.daybook.testkit.check.Call.Deletion;
import io.daybook.testkit.check.Call.Fencing;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Peek;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each check against a history that is good but for one thing. */
final class HistoryCheckerTest {
    private static final long LEDGER = 7;

    private final History history = new History();
    private long nanos;

    private static Value value(long counter) {
        return value("w", counter);
    }

    private static Value value(String session, long counter) {
        ByteBuf payload = Value.payload(session, counter, 20);
        try {
            return Value.of(payload);
        } finally {
            payload.release();
        }
    }

    private void append(long counter, Result result, long entryId) {
        add("w", result, new Append(value(counter), entryId));
    }

    private void read(String reader, long wanted, long first, long confirmed, Value... values) {
        add(reader, Result.OK, new Read(wanted, first, Arrays.asList(values), confirmed));
    }

    private void closed(long end) {
        add("r", Result.OK, new Closing(true, end));
    }

    private void finalLog(Value... values) {
        add("judge", Result.OK, new FinalLog(List.of(values)));
    }

    private void add(String process, Result result, Call.Detail detail) {
        nanos += 10;
        history.add(new Call(process, nanos, nanos + 5, result, LEDGER, detail));
    }

    /** Three appends, a reader that follows, the last append of unknown outcome. */
    private void goodBeginning() {
        append(0, Result.OK, 0);
        append(1, Result.OK, 1);
        read("t", 0, 0, 0, value(0));
        append(2, Result.UNKNOWN, -1);
    }

    private Set<String> found() {
        Set<String> checks = new TreeSet<>();
        HistoryChecker.check(history).forEach(violation -> checks.add(violation.check()));
        return checks;
    }

    @Test
    void goodHistoryHasNoViolation() {
        goodBeginning();
        append(3, Result.FAILED, -1);
        closed(2);
        read("t", 1, 1, 2, value(1), value(2));
        closed(2);
        finalLog(value(0), value(1), value(2));
        add("judge", Result.OK, new Copies(0, 2, 2));

        assertThat(found()).isEmpty();
    }

    @Test
    void unknownAppendMayBeMissing() {
        goodBeginning();
        closed(1);
        finalLog(value(0), value(1));

        assertThat(found()).isEmpty();
    }

    @Test
    void acknowledgedButMissingIsLostWrite() {
        goodBeginning();
        closed(0);
        finalLog(value(0));

        assertThat(found()).containsExactly("lost-write");
    }

    @Test
    void seenAndLaterMissingIsLostIndefinite() {
        goodBeginning();
        read("t", 1, 1, 2, value(1), value(2));
        closed(1);
        finalLog(value(0), value(1));

        assertThat(found()).containsExactly("dirty-read", "lost-indefinite");
    }

    @Test
    void failedButVisibleIsAbortedRead() {
        append(0, Result.FAILED, -1);
        closed(0);
        finalLog(value(0));

        assertThat(found()).containsExactly("aborted-read");
    }

    @Test
    void neverAppendedIsPhantom() {
        append(0, Result.OK, 0);
        closed(1);
        finalLog(value(0), value("x", 0));

        assertThat(found()).containsExactly("phantom");
    }

    @Test
    void otherBytesArePhantom() {
        append(0, Result.UNKNOWN, -1);
        closed(0);
        finalLog(new Value("w", 0, value(0).crc() + 1));

        assertThat(found()).containsExactly("phantom");
    }

    @Test
    void oneValueTwiceIsDuplicate() {
        append(0, Result.UNKNOWN, -1);
        append(1, Result.UNKNOWN, -1);
        closed(2);
        finalLog(value(0), value(1), value(1));

        assertThat(found()).contains("duplicate");
    }

    @Test
    void twoValuesAtOnePlaceAreAnInconsistentPosition() {
        append(0, Result.UNKNOWN, -1);
        append(1, Result.UNKNOWN, -1);
        read("t", 0, 0, 0, value(0));
        read("u", 0, 0, 0, value(1));

        assertThat(found()).containsExactly("inconsistent-position");
    }

    @Test
    void idsThatDoNotFollowTheCallsAreAReordering() {
        append(0, Result.OK, 1);
        append(1, Result.OK, 0);

        assertThat(found()).containsExactly("reorder-session");
    }

    @Test
    void missingNumberOfASessionIsGap() {
        append(0, Result.UNKNOWN, -1);
        append(1, Result.UNKNOWN, -1);
        append(2, Result.UNKNOWN, -1);
        closed(1);
        finalLog(value(0), value(2));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void readThatSkipsIsGap() {
        append(0, Result.OK, 0);
        append(1, Result.OK, 1);
        read("t", 0, 1, 1, value(1));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void readThatRepeatsGoesBack() {
        append(0, Result.OK, 0);
        read("t", 1, 0, 0, value(0));

        assertThat(found()).containsExactly("back");
    }

    @Test
    void confirmedThatFallsGoesBack() {
        append(0, Result.OK, 0);
        read("t", 0, 0, 3, value(0));
        read("t", 1, 1, 2);

        assertThat(found()).containsExactly("back");
    }

    @Test
    void beyondTheConfirmedIsDirtyRead() {
        append(0, Result.OK, 0);
        read("t", 0, 0, -1, value(0));

        assertThat(found()).containsExactly("dirty-read");
    }

    @Test
    void twoEndsAreAMovedEnd() {
        append(0, Result.OK, 0);
        closed(0);
        closed(1);

        assertThat(found()).containsExactly("end-moved");
    }

    @Test
    void finalLogOfAnotherLengthIsAMovedEnd() {
        append(0, Result.OK, 0);
        append(1, Result.UNKNOWN, -1);
        closed(0);
        finalLog(value(0), value(1));

        assertThat(found()).containsExactly("end-moved");
    }

    @Test
    void appendAfterAnothersRecoveryIsAckAfterFence() {
        append(0, Result.OK, 0);
        closed(0);
        append(1, Result.OK, 1);

        assertThat(found()).containsExactly("ack-after-fence");
    }

    @Test
    void appendAfterAnothersFenceIsAckAfterFence() {
        append(0, Result.OK, 0);
        add("f", Result.OK, new Fencing());
        append(1, Result.OK, 1);

        assertThat(found()).containsExactly("ack-after-fence");
    }

    @Test
    void appendAfterAFenceThatFailedMaySucceed() {
        append(0, Result.OK, 0);
        add("f", Result.UNKNOWN, new Fencing());
        append(1, Result.OK, 1);

        assertThat(found()).isEmpty();
    }

    @Test
    void okAfterAFailureBreaksThePrefix() {
        append(0, Result.UNKNOWN, -1);
        append(1, Result.OK, 1);

        assertThat(found()).containsExactly("prefix");
    }

    @Test
    void tooFewCopiesAreUnderReplicated() {
        append(0, Result.OK, 0);
        add("judge", Result.OK, new Copies(0, 1, 2));

        assertThat(found()).containsExactly("under-replicated");
    }

    @Test
    void lookBeyondTheConfirmedMayFindWhatFailedButNothingElse() { // L12
        append(0, Result.OK, 0);
        append(1, Result.FAILED, -1);
        add("t", Result.OK, new Peek(0, List.of(value(0), value(1))));
        finalLog(value(0));
        assertThat(HistoryChecker.check(history)).isEmpty();

        add("t", Result.OK, new Peek(1, List.of(value("x", 1))));

        assertThat(HistoryChecker.check(history))
                .extracting(Violation::check)
                .contains("phantom", "inconsistent-position");
    }

    @Test
    void ledgerThatIsFoundAfterItsDeletionLives() { // L13
        goodBeginning();
        closed(2);
        add("k", Result.OK, new Deletion());
        assertThat(HistoryChecker.check(history)).isEmpty();

        closed(2);

        assertThat(HistoryChecker.check(history)).extracting(Violation::check).containsExactly("deleted-lives");
    }

    @Test
    void callsEndOnce() {
        int never = history.begin("w", 1, LEDGER, new Append(value(0), -1));
        int twice = history.begin("w", 2, LEDGER, new Closing(false, -1));
        history.end(twice, 3, Result.OK, new Closing(false, 0));
        history.end(twice, 4, Result.FAILED);

        assertThat(HistoryChecker.check(history))
                .extracting(Violation::check)
                .containsExactly("call-completion", "call-completion");
        assertThat(history.calls().get(never).result()).isEqualTo(Result.PENDING);
    }

    @Test
    void crashLeavesTheOutcomeOfCallsUnknown() {
        history.begin("w.1", 1, LEDGER, new Append(value(0), -1));
        history.begin("w.11", 2, LEDGER, new Append(value(1), -1));

        history.crashed("w.1", 5);

        assertThat(history.calls()).extracting(Call::result).containsExactly(Result.UNKNOWN, Result.PENDING);
    }

    @Test
    void textKeepsEverything() {
        goodBeginning();
        read("t", 1, 1, 2, value(1), value(2));
        read("t", 3, 3, 2);
        closed(2);
        add("w", Result.FAILED, new Closing(false, -1));
        finalLog(value(0), value(1), value(2));
        finalLog();
        add("judge", Result.OK, new Copies(0, 1, 2));
        add("t", Result.OK, new Peek(1, List.of(value(1))));
        add("k", Result.UNKNOWN, new Deletion());

        List<String> lines = history.calls().stream().map(HistoryFormat::write).toList();

        assertThat(HistoryFormat.read(lines).calls()).isEqualTo(history.calls());
    }

    @Test
    void lineThatIsNoCallIsQuoted() {
        assertThatThrownBy(() -> HistoryFormat.read(List.of("{\"process\":\"w\"}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{\"process\":\"w\"}");
    }

    @Test
    void damagedPayloadIsNobodysValue() {
        ByteBuf payload = Value.payload("w", 3, 30);
        Value before = Value.of(payload);
        payload.setByte(payload.readableBytes() - 1, payload.getByte(payload.readableBytes() - 1) + 1);

        assertThat(Value.of(payload))
                .isNotEqualTo(before)
                .isEqualTo(new Value("w", 3, Value.of(payload).crc()));
        assertThat(Value.of(payload.slice(0, 3)).session()).isEqualTo("?");
        assertThat(Value.parse(before.toString())).isEqualTo(before);
        payload.release();
    }
}
