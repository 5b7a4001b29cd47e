// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
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
import io.daybook.testkit.check.StreamDetail.Rename;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Translate;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Value;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Streams that are renamed and deleted, and have each other's names: each check against a history that is good but for one thing (S14). The first stream has a record in segment 1 of the first
 * name, is renamed and has another in segment 2 of the second, and is deleted there. The second stream is made under the first name with a record in its segment 5; that is segment 8 under the
 * second name, which it gets then, and where it has another one in segment 9.
 */
final class StreamLivesCheckerTest extends StreamTale {
    private static final Value FOUR = value("four");

    private void callBetween(long from, long to, Result result, StreamDetail detail) {
        history.add(new Call("b" + from, from, to, result, -1, detail));
    }

    private void finallyThere() {
        call("judge", Result.OK, new FinalStream(OTHER, DLSN.BEFORE_ALL, List.of(at(8, THREE, 1), at(9, FOUR, 2))));
    }

    private void assertCannotBeJudged(String why) {
        assertThatThrownBy(() -> HistoryChecker.check(history))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @BeforeEach
    void oneIsRenamedAndDeletedAndAnotherGetsItsNames() {
        call("c", Result.OK, new Created(NAME, true));
        call("one", Result.OK, new OpenWriter(NAME, -1));
        appended(NAME, at(1, ONE, 7));
        polled("reader", NAME, StartPosition.earliest(), Found.RECORDS, at(1, ONE, 7));
        call("m", Result.OK, new Rename(NAME, OTHER, 0, 1));
        appended(OTHER, at(2, TWO, 8));
        polled("second", OTHER, StartPosition.earliest(), Found.RECORDS, at(1, ONE, 7));
        call("m", Result.OK, new Delete(OTHER));
        call("m", Result.OK, new Created(NAME, true, 4));
        call("three", Result.OK, new OpenWriter(NAME, -1));
        appended(NAME, at(5, THREE, 1));
        call("m", Result.OK, new Rename(NAME, OTHER, 3, 7));
        appended(OTHER, at(9, FOUR, 2));
    }

    @Test
    void streamsThatHaveEachOthersNamesAreJudgedEachByItself() {
        polled("third", OTHER, StartPosition.earliest(), Found.RECORDS, at(8, THREE, 1), at(9, FOUR, 2));
        polled("late", OTHER, StartPosition.after(segment(2)), Found.FOREIGN);
        polled("second", OTHER, null, Found.RECORDS, at(2, TWO, 8));
        call("late", Result.FAILED, new Truncate(OTHER, segment(1)));
        call("q", Result.OK, new Last(OTHER, segment(9)));
        call("three", Result.OK, new Translate(NAME, segment(5), OTHER, segment(8)));
        call("d", Result.OK, new Delete(NAME));
        finallyThere();

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void recordThatIsGoneFromTheStreamThatIsLeftIsLost() {
        call("judge", Result.OK, new FinalStream(OTHER, DLSN.BEFORE_ALL, List.of(at(8, THREE, 1))));

        assertThat(found()).containsExactly("lost-write");
    }

    @Test
    void readerThatPassesARecordOfItsStreamMakesAGap() {
        polled("third", OTHER, StartPosition.earliest(), Found.RECORDS, at(9, FOUR, 2));
        finallyThere();

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void readerThatGoesOnIntoTheStreamThatGotTheNameIsFound() {
        polled("second", OTHER, null, Found.RECORDS, at(2, TWO, 8), at(8, THREE, 1));
        finallyThere();

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void writerThatGoesOnInTheStreamThatGotTheNameIsFound() {
        call("two", Result.OK, new Appends(OTHER, List.of(at(10, value("more"), 9))));

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void positionOfADeletedStreamIsNotTakenByTheOneThatGotTheName() {
        polled("late", OTHER, StartPosition.after(segment(2)), Found.RECORDS, at(8, THREE, 1));
        finallyThere();

        assertThat(found()).containsExactly("delete-safe");
    }

    @Test
    void positionOfAStreamThatHasLeftTheNameIsNotTakenByTheOneThatWasMadeUnderIt() {
        call("m", Result.OK, new Created(NAME, true, 6));
        polled("late", NAME, StartPosition.after(segment(5)), Found.RECORDS);

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void truncationAndLastRecordAtAPositionOfADeletedStreamAreFound() {
        call("t", Result.OK, new Truncate(OTHER, segment(2)));
        assertThat(found()).containsExactly("delete-safe");

        call("q", Result.OK, new Last(OTHER, segment(2)));
        assertThat(HistoryChecker.check(history).stream()
                        .filter(wrong -> wrong.text().contains("last record to")))
                .isNotEmpty();
    }

    @Test
    void recordOfADeletedStreamInTheOneThatGotItsNameIsFound() {
        call(
                "judge",
                Result.OK,
                new FinalStream(OTHER, DLSN.BEFORE_ALL, List.of(at(2, TWO, 8), at(8, THREE, 1), at(9, FOUR, 2))));

        assertThat(found()).contains("delete-safe");
    }

    @Test
    void newReaderSeesNothingThatWasDeleted() {
        polled("late", OTHER, StartPosition.earliest(), Found.RECORDS, at(2, TWO, 8));

        assertThat(found()).contains("delete-safe");
    }

    @Test
    void positionIsNotForeignWhereNoOtherStreamHasGotTheName() {
        polled("late", OTHER, StartPosition.after(segment(8)), Found.FOREIGN);
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionIsNotTranslatedToThatOfAnotherStream() {
        call("second", Result.OK, new Translate(NAME, segment(1), OTHER, segment(8)));
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void numbersThatAStreamOfTheNameHasHadAreNotGivenAgain() {
        callBetween(1, 2, Result.OK, new Poll(OTHER, StartPosition.earliest(), List.of(at(7, ONE, 7)), Found.RECORDS));
        finallyThere();

        assertThat(found()).contains("rename-safe");
    }

    @Test
    void appendOfUnknownOutcomeIsOfTheStreamInWhichItIsRead() {
        Value five = value("five");
        call("five", Result.UNKNOWN, new Appends(OTHER, List.of(new Seen(five, 3, null))));
        polled("third", OTHER, StartPosition.after(segment(9)), Found.RECORDS, at(10, five, 3));
        call(
                "judge",
                Result.OK,
                new FinalStream(OTHER, DLSN.BEFORE_ALL, List.of(at(8, THREE, 1), at(9, FOUR, 2), at(10, five, 3))));

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void writerWhoseStreamNobodyCanTellIsOfNone() {
        long open = nanos - 95;
        callBetween(open, nanos, Result.OK, new OpenWriter(OTHER, -1));
        callBetween(open, nanos, Result.OK, new Seal(OTHER));
        callBetween(open, nanos, Result.UNKNOWN, new Appends(OTHER, List.of(new Seen(value("five"), 3, null))));
        call("six", Result.FAILED, new Appends(OTHER, List.of(new Seen(value("six"), 3, null))));
        finallyThere();

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void appendBehindASealIsFoundInTheStreamThatWasSealed() {
        call("four", Result.OK, new Seal(OTHER));
        Value five = value("five");
        appended(OTHER, at(10, five, 3));

        assertThat(found()).contains("seal-safe");
    }

    @Test
    void historyThatDoesNotTellWhereANameBeginsAgainCannotBeJudged() {
        call("m", Result.OK, new Created(NAME, true));

        assertCannotBeJudged("the number of the first segment is needed");
    }

    @Test
    void streamDoesNotBeginWithNumbersThatAnotherOneHadUnderTheName() {
        call("m", Result.OK, new Created(NAME, true, 4));
        assertThat(found()).contains("rename-safe");

        call("m", Result.OK, new Delete(OTHER));
        call("m", Result.OK, new Rename(NAME, OTHER, 0, 4));
        assertThat(found()).contains("delete-safe");
    }

    @Test
    void historyInWhichTwoStreamsHaveANameAtATimeCannotBeJudged() {
        call("m", Result.OK, new Created(OTHER, true, 20));

        assertCannotBeJudged("nothing tells them apart");
    }

    @Test
    void historyInWhichADeletionMeetsARenameCannotBeJudged() {
        callBetween(nanos - 15, nanos + 20, Result.OK, new Delete(NAME));

        assertCannotBeJudged("nobody can tell which stream that was about");
    }

    @Test
    void historyInWhichACreationMeetsADeletionCannotBeJudged() {
        callBetween(nanos + 10, nanos + 20, Result.OK, new Delete(OTHER));
        callBetween(nanos + 15, nanos + 30, Result.OK, new Created(OTHER, true, 20));

        assertCannotBeJudged("nobody can tell which stream that was about");
    }

    @Test
    void historyThatDoesNotTellWhetherARenamedStreamWasDeletedCannotBeJudged() {
        call("d", Result.UNKNOWN, new Delete(OTHER));

        assertCannotBeJudged("whether this deletion was made is not known");
    }

    @Test
    void finalReadingOfWhatNobodyCanTellCannotBeJudged() {
        callBetween(nanos - 100, nanos, Result.OK, new FinalStream(OTHER, DLSN.BEFORE_ALL, List.of()));

        assertCannotBeJudged("was read whole is not told");
    }

    @Test
    void creationsAreWrittenAndReadBack() {
        List<String> lines = history.calls().stream().map(HistoryFormat::write).toList();

        assertThat(HistoryFormat.read(lines).calls()).isEqualTo(history.calls());
    }
}
