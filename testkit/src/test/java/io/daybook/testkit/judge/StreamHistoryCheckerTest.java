// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Value;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each check of a stream against a history that is good but for one thing. */
final class StreamHistoryCheckerTest {
    private static final String STREAM = "s";
    private static final DLSN NOWHERE = DLSN.BEFORE_ALL;

    private final History history = new History();
    private long nanos;

    /** Record {@code counter} of session {@code w}, with its number as transaction id, at entry {@code entry} of segment 1. */
    private static Seen at(long counter, long entry) {
        return at("w", counter, entry);
    }

    private static Seen at(String session, long counter, long entry) {
        return new Seen(value(session, counter), counter, new DLSN(1, entry, 0));
    }

    private static Seen unplaced(long counter) {
        return new Seen(value("w", counter), counter, null);
    }

    private static Value value(String session, long counter) {
        ByteBuf payload = Value.payload(session, counter, 20);
        try {
            return Value.of(payload);
        } finally {
            payload.release();
        }
    }

    private void call(String process, Result result, StreamDetail detail) {
        nanos += 10;
        history.add(new Call(process, nanos, nanos + 5, result, -1, detail));
    }

    private void appended(long counter, long entry) {
        call("w", Result.OK, new Appends(STREAM, List.of(at(counter, entry))));
    }

    private void unknown(long counter) {
        call("w", Result.UNKNOWN, new Appends(STREAM, List.of(unplaced(counter))));
    }

    private void polled(Seen... records) {
        call("r", Result.OK, new Poll(STREAM, StartPosition.earliest(), List.of(records), Found.RECORDS));
    }

    private void polledOn(Seen... records) {
        call("r", Result.OK, new Poll(STREAM, null, List.of(records), Found.RECORDS));
    }

    private void finallyThere(DLSN truncatedTo, Seen... records) {
        call("judge", Result.OK, new FinalStream(STREAM, truncatedTo, List.of(records)));
    }

    private void truncated(Result result, long entry) {
        call("t", result, new Truncate(STREAM, new DLSN(1, entry, 0)));
    }

    private Set<String> found() {
        Set<String> checks = new TreeSet<>();
        HistoryChecker.check(history).forEach(violation -> checks.add(violation.check()));
        return checks;
    }

    private void goodHistory() {
        call("c", Result.OK, new Created(STREAM, true));
        call("w", Result.OK, new OpenWriter(STREAM, -1));
        appended(0, 0);
        polled(at(0, 0));
        call("w", Result.OK, new Appends(STREAM, List.of(at(1, 1), at(2, 2))));
        call("q", Result.OK, new Last(STREAM, new DLSN(1, 2, 0)));
        unknown(3);
        call("x", Result.OK, new OpenWriter(STREAM, -1));
        polledOn(at(1, 1), at(2, 2), at(3, 3));
        call("x", Result.OK, new Appends(STREAM, List.of(at("x", 0, 4), at("x", 1, 5))));
    }

    @Test
    void goodHistoryHasNoViolation() {
        call("w", Result.OK, new OpenWriter(STREAM, -1));
        appended(0, 0);
        polled(at(0, 0));
        call("w", Result.OK, new Appends(STREAM, List.of(at(1, 1), at(2, 2))));
        call("q", Result.OK, new Last(STREAM, new DLSN(1, 2, 0)));
        unknown(3);
        call("x", Result.OK, new OpenWriter(STREAM, -1));
        polledOn(at(1, 1), at(2, 2), at(3, 3));
        truncated(Result.OK, 1);
        call("r2", Result.OK, new Poll(STREAM, StartPosition.earliest(), List.of(at(1, 1)), Found.RECORDS));
        call("r3", Result.OK, new Poll(STREAM, StartPosition.at(new DLSN(1, 0, 0)), List.of(), Found.TRUNCATED));
        call("r4", Result.OK, new Poll(STREAM, StartPosition.atTransactionId(2), List.of(at(2, 2)), Found.RECORDS));
        call("x", Result.OK, new Seal(STREAM));
        call("r", Result.OK, new Poll(STREAM, null, List.of(), Found.ENDED));
        finallyThere(new DLSN(1, 1, 0), at(1, 1), at(2, 2), at(3, 3));

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void unknownAppendMayBeMissing() {
        appended(0, 0);
        unknown(1);
        finallyThere(NOWHERE, at(0, 0));

        assertThat(found()).isEmpty();
    }

    @Test
    void acknowledgedButMissingIsLostWrite() {
        appended(0, 0);
        appended(1, 1);
        finallyThere(NOWHERE, at(0, 0));

        assertThat(found()).containsExactly("lost-write");
    }

    @Test
    void acknowledgedButMissingBetweenTwoThatOneReaderSawIsFoundWithoutAFinalRead() {
        appended(0, 0);
        appended(1, 1);
        appended(2, 2);
        polled(at(0, 0), at(2, 2));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void seenAndLaterMissingIsLostIndefinite() {
        unknown(0);
        polled(at(0, 0));
        finallyThere(NOWHERE);

        assertThat(found()).containsExactly("dirty-read", "lost-indefinite");
    }

    @Test
    void failedButVisibleIsAbortedRead() {
        call("w", Result.FAILED, new Appends(STREAM, List.of(unplaced(0))));
        polled(at(0, 0));

        assertThat(found()).containsExactly("aborted-read");
    }

    @Test
    void neverAppendedIsPhantom() {
        polled(at("nobody", 0, 0));

        assertThat(found()).containsExactly("phantom");
    }

    @Test
    void oneValueAtTwoPlacesIsDuplicate() {
        unknown(0);
        call("w2", Result.UNKNOWN, new Appends(STREAM, List.of(unplaced(1))));
        polled(at(0, 0), at(1, 1));
        finallyThere(NOWHERE, at(0, 0), at(1, 1), new Seen(value("w", 1), 1, new DLSN(1, 2, 0)));

        assertThat(found()).contains("duplicate");
    }

    @Test
    void twoValuesAtOnePlaceAreAnInconsistentPosition() {
        unknown(0);
        unknown(1);
        polled(at(0, 0));
        call("r2", Result.OK, new Poll(STREAM, StartPosition.earliest(), List.of(at(1, 0)), Found.RECORDS));

        assertThat(found()).contains("inconsistent-position");
    }

    @Test
    void halfOfABatchIsTorn() {
        call("w", Result.UNKNOWN, new Appends(STREAM, List.of(unplaced(0), unplaced(1))));
        finallyThere(NOWHERE, at(0, 0));

        assertThat(found()).containsExactly("torn-batch");
    }

    @Test
    void positionsThatDoNotFollowTheCallsOfASessionAreAReordering() {
        appended(0, 1);
        appended(1, 0);

        assertThat(found()).contains("reorder-session");
    }

    @Test
    void appendThatStandsBeforeOneAcknowledgedEarlierIsAReorderingInRealTime() {
        call("w", Result.OK, new Appends(STREAM, List.of(at(5, 1))));
        call("x", Result.OK, new Appends(STREAM, List.of(at("x", 0, 0))));

        assertThat(found()).containsExactly("reorder-realtime");
    }

    @Test
    void missingNumberOfASessionIsGap() {
        unknown(0);
        unknown(1);
        finallyThere(NOWHERE, at(1, 0));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void readerThatRepeatsGoesBack() {
        appended(0, 0);
        appended(1, 1);
        polled(at(0, 0), at(1, 1));
        polledOn(at(1, 1));

        assertThat(found()).containsExactly("back");
    }

    @Test
    void readerThatGoesOnBehindTheSuccessorOfItsPositionSkips() {
        appended(0, 0);
        appended(1, 1);
        appended(2, 2);
        call(
                "r",
                Result.OK,
                new Poll(STREAM, StartPosition.after(new DLSN(1, 0, 0)), List.of(at(2, 2)), Found.RECORDS));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void okAfterAFailureBreaksThePrefix() {
        unknown(0);
        appended(1, 1);

        assertThat(found()).containsExactly("prefix");
    }

    @Test
    void appendOfAnOwnerThatWasTakenOverIsAckAfterFence() {
        call("w", Result.OK, new OpenWriter(STREAM, -1));
        call("x", Result.OK, new OpenWriter(STREAM, -1));
        appended(0, 0);

        assertThat(found()).containsExactly("ack-after-fence");
    }

    @Test
    void transactionIdThatFallsIsFound() {
        call("w", Result.OK, new Appends(STREAM, List.of(new Seen(value("w", 0), 9, new DLSN(1, 0, 0)))));
        call("w", Result.OK, new Appends(STREAM, List.of(new Seen(value("w", 1), 8, new DLSN(1, 1, 0)))));

        assertThat(found()).containsExactly("txid");
    }

    @Test
    void transactionIdTwiceIsFoundInAStrictStreamOnly() {
        call("w", Result.OK, new Appends(STREAM, List.of(new Seen(value("w", 0), 9, new DLSN(1, 0, 0)))));
        call("w", Result.OK, new Appends(STREAM, List.of(new Seen(value("w", 1), 9, new DLSN(1, 1, 0)))));
        assertThat(found()).isEmpty();

        call("c", Result.OK, new Created(STREAM, true));
        assertThat(found()).containsExactly("txid");
    }

    @Test
    void seekThatReturnsALowerTransactionIdOrPassesOneIsFound() {
        appended(3, 0);
        appended(5, 1);
        appended(7, 2);
        call("r", Result.OK, new Poll(STREAM, StartPosition.atTransactionId(4), List.of(at(7, 2)), Found.RECORDS));
        assertThat(found()).containsExactly("gap");

        call("r2", Result.OK, new Poll(STREAM, StartPosition.atTransactionId(4), List.of(at(3, 0)), Found.RECORDS));
        assertThat(found()).contains("txid");
    }

    @Test
    void newReaderBelowATruncationIsFound() {
        appended(0, 0);
        appended(1, 1);
        truncated(Result.OK, 1);
        polled(at(0, 0));

        assertThat(found()).containsExactly("truncate-safe");
    }

    @Test
    void moreTruncatedThanAskedForIsFound() {
        appended(0, 0);
        appended(1, 1);
        truncated(Result.OK, 1);
        finallyThere(new DLSN(1, 2, 0));

        assertThat(found()).containsExactly("truncate-safe");
    }

    @Test
    void truncationOfUnknownOutcomeMayHaveHappenedOrNot() {
        appended(0, 0);
        appended(1, 1);
        truncated(Result.UNKNOWN, 1);
        polled(at(0, 0), at(1, 1));
        call("r2", Result.OK, new Poll(STREAM, StartPosition.earliest(), List.of(at(1, 1)), Found.RECORDS));

        assertThat(found()).isEmpty();
    }

    @Test
    void appendAfterASealIsFound() {
        call("w", Result.OK, new Seal(STREAM));
        appended(0, 0);

        assertThat(found()).containsExactly("seal-safe");
    }

    @Test
    void endBeforeTheLastRecordIsFound() {
        appended(0, 0);
        appended(1, 1);
        call("w", Result.OK, new Seal(STREAM));
        call("r", Result.OK, new Poll(STREAM, StartPosition.earliest(), List.of(at(0, 0)), Found.ENDED));

        assertThat(found()).containsExactly("seal-safe");
    }

    @Test
    void lastRecordThatIsNoneIsPhantom() {
        appended(0, 0);
        call("q", Result.OK, new Last(STREAM, new DLSN(1, 7, 0)));

        assertThat(found()).containsExactly("phantom");
    }

    @Test
    void lastRecordThatNobodyLearnedOfMayBeTruncatedBeforeItIsRead() {
        unknown(0);
        call("q", Result.OK, new Last(STREAM, new DLSN(1, 0, 0)));
        truncated(Result.OK, 1);

        assertThat(found()).isEmpty();
    }

    @Test
    void lastRecordBelowATruncationIsPhantomWhenEveryOutcomeIsKnown() {
        appended(0, 1);
        call("q", Result.OK, new Last(STREAM, new DLSN(1, 0, 0)));
        truncated(Result.OK, 1);

        assertThat(found()).containsExactly("phantom");
    }

    @Test
    void callThatNeverEndsIsFound() {
        call("t", Result.PENDING, new Truncate(STREAM, new DLSN(1, 0, 0)));

        assertThat(found()).containsExactly("call-completion");
    }

    @Test
    void stalenessIsTheLongestTimeFromTheAcknowledgementToTheFirstPoll() {
        appended(0, 0);
        polled(at(0, 0));
        appended(1, 1);
        nanos += 500;
        polledOn(at(1, 1));

        assertThat(HistoryChecker.worstStalenessNanos(history, STREAM)).isEqualTo(510);
    }

    @Test
    void historyOutlivesItsTextForm() {
        goodHistory();
        truncated(Result.UNKNOWN, 1);
        call("x", Result.OK, new Seal(STREAM));
        call("r2", Result.OK, new Poll(STREAM, StartPosition.at(new DLSN(1, 2, 0)), List.of(at(2, 2)), Found.RECORDS));
        call("r3", Result.OK, new Poll(STREAM, StartPosition.atTransactionId(7), List.of(), Found.ENDED));
        call("r4", Result.OK, new Poll(STREAM, StartPosition.after(new DLSN(1, 2, 0)), List.of(), Found.TRUNCATED));
        call("r5", Result.OK, new Poll(STREAM, StartPosition.latest(), List.of(), Found.RECORDS));
        finallyThere(NOWHERE, at(0, 0));

        List<String> lines = history.calls().stream().map(HistoryFormat::write).toList();

        assertThat(HistoryFormat.read(lines).calls()).isEqualTo(history.calls());
    }
}
