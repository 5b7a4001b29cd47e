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
import io.daybook.testkit.check.StreamDetail.Delete;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams that are deleted and made again under their name: each check against a history that is good but for one thing (S14). */
final class StreamDeletionCheckerTest {
    private static final String STREAM = "s";

    private static final DLSN OLD_AT = new DLSN(1, 0, 0);
    private static final DLSN LAST_OLD_AT = new DLSN(2, 0, 0);
    private static final DLSN NEW_AT = new DLSN(4, 0, 0);
    private static final Seen OLD = at("old", 7, OLD_AT);
    private static final Seen LAST_OLD = at("end", 8, LAST_OLD_AT);
    private static final Seen NEW = at("new", 1, NEW_AT);

    private final History history = new History();
    private long nanos;

    /** The only record of session {@code session}. */
    private static Seen at(String session, long transactionId, DLSN position) {
        ByteBuf payload = Value.payload(session, 0, 20);
        try {
            return new Seen(Value.of(payload), transactionId, position);
        } finally {
            payload.release();
        }
    }

    private void call(String process, Result result, StreamDetail detail) {
        nanos += 10;
        history.add(new Call(process, nanos, nanos + 5, result, -1, detail));
    }

    private void appended(Seen record) {
        call(record.value().session(), Result.OK, new Appends(STREAM, List.of(record)));
    }

    private void polled(String process, @Nullable StartPosition start, Found found, Seen... records) {
        call(process, Result.OK, new Poll(STREAM, start, List.of(records), found));
    }

    private void polledOn(String process, Found found, Seen... records) {
        call(process, Result.OK, new Poll(STREAM, null, List.of(records), found));
    }

    private void finallyThere(long segment, Seen... records) {
        call("judge", Result.OK, new FinalStream(STREAM, new DLSN(segment, 0, 0), List.of(records)));
    }

    private void deleted(Result result) {
        call("d", result, new Delete(STREAM));
    }

    /** A stream that was made, written, deleted and made again; {@code result} is what the deleter was told. */
    private void madeAgain(Result result) {
        call("c", Result.OK, new Created(STREAM, true));
        appended(OLD);
        polled("r", StartPosition.earliest(), Found.RECORDS, OLD);
        appended(LAST_OLD);
        deleted(result);
        appended(NEW);
    }

    private Set<String> found() {
        Set<String> checks = new TreeSet<>();
        HistoryChecker.check(history).forEach(violation -> checks.add(violation.check()));
        return checks;
    }

    @Test
    void streamThatIsMadeAgainBeginsAnew() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.earliest(), Found.RECORDS, NEW);
        polled("r3", StartPosition.after(OLD_AT), Found.FOREIGN);
        call("q", Result.OK, new Last(STREAM, NEW_AT));
        call("t", Result.FAILED, new Truncate(STREAM, OLD_AT));
        finallyThere(4, NEW);

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void deletionOfUnknownOutcomeMayHaveHappenedOrNot() {
        madeAgain(Result.UNKNOWN);
        finallyThere(4, NEW);
        assertThat(found()).isEmpty();

        history.add(new Call(
                "r2",
                1000,
                1005,
                Result.OK,
                -1,
                new Poll(STREAM, StartPosition.earliest(), List.of(OLD), Found.RECORDS)));
        assertThat(found()).isEmpty();
    }

    @Test
    void lastRecordThatNobodyLearnedOfMayBeDeletedBeforeItIsRead() {
        call("c", Result.OK, new Created(STREAM, true));
        appended(OLD);
        call("u", Result.UNKNOWN, new Appends(STREAM, List.of(new Seen(LAST_OLD.value(), 8, null))));
        call("q", Result.OK, new Last(STREAM, LAST_OLD_AT));
        assertThat(found()).containsExactly("phantom");

        deleted(Result.OK);

        assertThat(found()).isEmpty();
    }

    @Test
    void deletionThatFailedTakesNothingAway() {
        madeAgain(Result.FAILED);
        finallyThere(4, NEW);

        assertThat(found()).containsExactly("truncate-safe", "txid");
    }

    @Test
    void recordOfADeletedStreamInItsSuccessorIsFound() {
        madeAgain(Result.OK);
        finallyThere(1, OLD, NEW);

        assertThat(found()).containsExactly("delete-safe", "lost-write");
    }

    @Test
    void newReaderThatSeesWhatWasDeletedIsFound() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.earliest(), Found.RECORDS, OLD);

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void readerThatGoesOnFromADeletedStreamIntoItsSuccessorIsFound() {
        madeAgain(Result.OK);
        polledOn("r", Found.RECORDS, LAST_OLD, NEW);

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void readerOfADeletedStreamMayReturnWhatItHadReadAhead() {
        madeAgain(Result.OK);
        polledOn("r", Found.RECORDS, LAST_OLD);

        assertThat(found()).isEmpty();
    }

    @Test
    void readerThatPassesARecordIsFoundAlsoWhereTheStreamMayBeDeleted() {
        call("d", Result.UNKNOWN, new Delete(STREAM));
        appended(at("a", 1, new DLSN(1, 0, 0)));
        appended(at("b", 2, new DLSN(1, 1, 0)));
        appended(at("c", 3, new DLSN(1, 2, 0)));
        polled(
                "r",
                StartPosition.earliest(),
                Found.RECORDS,
                at("a", 1, new DLSN(1, 0, 0)),
                at("c", 3, new DLSN(1, 2, 0)));

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void positionOfADeletedStreamThatItsSuccessorTakesIsFound() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.at(OLD_AT), Found.RECORDS);
        assertThat(found()).containsExactly("delete-safe");

        history.add(new Call(
                "r3",
                1000,
                1005,
                Result.OK,
                -1,
                new Poll(STREAM, StartPosition.after(OLD_AT), List.of(), Found.TRUNCATED)));
        assertThat(found()).contains("delete-safe");
    }

    @Test
    void truncationAndLastRecordAtAPositionOfADeletedStreamAreFound() {
        madeAgain(Result.OK);
        call("t", Result.OK, new Truncate(STREAM, OLD_AT));
        assertThat(found()).containsExactly("delete-safe");

        call("q", Result.OK, new Last(STREAM, LAST_OLD_AT));
        assertThat(HistoryChecker.check(history)).hasSize(2);
    }

    @Test
    void positionThatIsCalledForeignAlthoughNobodyDeletedItIsFound() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.after(NEW_AT), Found.FOREIGN);

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void positionThatNobodyGaveIsNotForeign() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.earliest(), Found.FOREIGN);
        assertThat(found()).containsExactly("delete-safe");

        polled("r3", null, Found.FOREIGN);
        assertThat(HistoryChecker.check(history)).hasSize(2);
    }

    @Test
    void positionThatMeansTwoRecordsIsFound() {
        madeAgain(Result.OK);
        appended(at("late", 9, OLD_AT));

        assertThat(found()).contains("inconsistent-position", "reorder-realtime");
    }

    @Test
    void recordOfTheSuccessorThatIsGoneIsFound() {
        madeAgain(Result.OK);
        finallyThere(5);

        assertThat(found()).containsExactly("truncate-safe");
    }

    @Test
    void deletionOfUnknownOutcomeEndsWithTheNextOne() {
        madeAgain(Result.UNKNOWN);
        deleted(Result.OK);
        appended(at("last", 1, new DLSN(6, 0, 0)));
        finallyThere(7);

        assertThat(found()).containsExactly("truncate-safe");
    }

    @Test
    void sealEndsWithItsStream() {
        appended(OLD);
        call("w", Result.OK, new Seal(STREAM));
        polled("r", StartPosition.earliest(), Found.RECORDS, OLD);
        deleted(Result.OK);
        appended(NEW);
        polledOn("r", Found.ENDED);
        polled("r2", StartPosition.earliest(), Found.RECORDS, NEW);
        assertThat(found()).isEmpty();

        appended(at("x", 2, new DLSN(4, 1, 0)));
        polledOn("r2", Found.ENDED);
        assertThat(found()).containsExactly("seal-safe");
    }

    @Test
    void lastTransactionIdThatNobodyAppendedIsFound() { // S8
        appended(OLD);
        call("w", Result.OK, new OpenWriter(STREAM, 7));
        assertThat(found()).isEmpty();

        call("x", Result.OK, new OpenWriter(STREAM, 8));
        assertThat(found()).containsExactly("txid");
    }

    @Test
    void historyOutlivesItsTextForm() {
        madeAgain(Result.OK);
        polled("r2", StartPosition.after(OLD_AT), Found.FOREIGN);
        call("w", Result.OK, new OpenWriter(STREAM, 1));

        for (Call call : history.calls()) {
            assertThat(HistoryFormat.read(HistoryFormat.write(call))).isEqualTo(call);
        }
    }
}
