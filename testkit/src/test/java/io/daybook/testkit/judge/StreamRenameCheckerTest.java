// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.Call;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.HistoryFormat;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Rename;
import io.daybook.testkit.check.StreamDetail.Translate;
import io.daybook.testkit.check.StreamDetail.Truncate;
import io.daybook.testkit.check.Value;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A stream that is renamed, and renamed back: each check against a history that is good but for one thing (S14). Under its first name it has a record in segment 1, under the second
 * one another in segment 2; back under the first one these are segments 11 and 12, and a third is in segment 13.
 */
final class StreamRenameCheckerTest extends StreamTale {
    private void finallyThere() {
        call(
                "judge",
                Result.OK,
                new FinalStream(NAME, segment(11), List.of(at(11, ONE, 1), at(12, TWO, 2), at(13, THREE, 3))));
    }

    @BeforeEach
    void renameAndRenameBack() {
        call("c", Result.OK, new Created(NAME, true));
        call("one", Result.OK, new OpenWriter(NAME, -1));
        appended(NAME, at(1, ONE, 1));
        polled("reader", NAME, StartPosition.earliest(), Found.RECORDS, at(1, ONE, 1));
        call("m", Result.OK, new Rename(NAME, OTHER, 0, 1));
        call("two", Result.OK, new OpenWriter(OTHER, 1));
        appended(OTHER, at(2, TWO, 2));
        polled("second", OTHER, StartPosition.after(segment(1)), Found.RECORDS, at(2, TWO, 2));
        call("m", Result.OK, new Rename(OTHER, NAME, 10, 11));
        call("three", Result.OK, new OpenWriter(NAME, 2));
        appended(NAME, at(13, THREE, 3));
    }

    @Test
    void renamedStreamIsOneStreamUnderAllItsNames() {
        polled("third", NAME, StartPosition.earliest(), Found.RECORDS, at(11, ONE, 1), at(12, TWO, 2));
        polled("third", NAME, null, Found.RECORDS, at(13, THREE, 3));
        polled("late", NAME, StartPosition.after(segment(1)), Found.FOREIGN);
        call("q", Result.OK, new Last(NAME, segment(13)));
        call("late", Result.FAILED, new Truncate(NAME, segment(1)));
        call("reader", Result.OK, new Translate(NAME, segment(1), NAME, segment(11)));
        call("second", Result.OK, new Translate(OTHER, segment(2), NAME, segment(12)));
        finallyThere();

        assertThat(HistoryChecker.check(history)).isEmpty();
    }

    @Test
    void recordThatIsGoneUnderTheNewNameIsLost() {
        call("judge", Result.OK, new FinalStream(NAME, segment(11), List.of(at(11, ONE, 1), at(13, THREE, 3))));

        assertThat(found()).containsExactlyInAnyOrder("lost-write", "dirty-read");
    }

    @Test
    void readerThatPassesARecordOverUnderTheNewNameMakesAGap() {
        polled("third", NAME, StartPosition.after(segment(11)), Found.RECORDS, at(13, THREE, 3));
        finallyThere();

        assertThat(found()).containsExactly("gap");
    }

    @Test
    void positionOfAnEarlierTimeIsNotTakenAgain() {
        polled("late", NAME, StartPosition.after(segment(1)), Found.RECORDS, at(12, TWO, 2));
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionOfAnEarlierTimeIsNoPlaceToTruncate() {
        call("late", Result.OK, new Truncate(NAME, segment(1)));
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionOfAnEarlierTimeIsNotToldAsTheLastOne() {
        call("q", Result.OK, new Last(NAME, segment(1)));
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void newReaderReadsNothingAtAPositionOfAnEarlierTime() {
        polled("late", NAME, StartPosition.earliest(), Found.RECORDS, at(1, ONE, 1));
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionOfThePresentTimeIsNotForeign() {
        polled("late", NAME, StartPosition.after(segment(12)), Found.FOREIGN);
        finallyThere();

        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionThatNobodyGaveIsNotForeign() {
        polled("late", NAME, StartPosition.earliest(), Found.FOREIGN);
        finallyThere();
        assertThat(found()).containsExactly("rename-safe");

        polled("late", NAME, null, Found.FOREIGN);
        assertThat(HistoryChecker.check(history)).hasSize(2);
    }

    @Test
    void nothingIsAppendedUnderANameThatTheStreamHasLeft() {
        call("four", Result.OK, new OpenWriter(NAME, 3));
        Value four = value("four");
        appended(NAME, at(3, four, 4));

        assertThat(found()).contains("rename-safe");
    }

    @Test
    void nothingIsReadUnderANameThatWasAppendedAfterTheStreamHadLeftIt() {
        polled("second", OTHER, null, Found.RECORDS, at(3, THREE, 3));
        finallyThere();

        assertThat(found()).contains("rename-safe");
    }

    @Test
    void numbersOfANameAreNotUsedAgain() {
        history.add(new Call(
                "early",
                1,
                2,
                Result.OK,
                -1,
                new Poll(NAME, StartPosition.earliest(), List.of(at(11, ONE, 1)), Found.RECORDS)));
        finallyThere();

        assertThat(found()).contains("rename-safe");
    }

    @Test
    void positionOfANameIsOneRecord() {
        polled("third", NAME, StartPosition.after(segment(12)), Found.RECORDS, at(13, TWO, 2));
        finallyThere();

        assertThat(found()).contains("inconsistent-position");
    }

    @Test
    void positionIsTranslatedToThatOfTheSameRecord() {
        call("reader", Result.OK, new Translate(NAME, segment(1), NAME, segment(12)));
        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void positionIsNotTranslatedToWhatItWas() {
        call("reader", Result.OK, new Translate(NAME, segment(1), NAME, segment(1)));
        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void renameThatNobodyMadeIsNotTold() {
        call("reader", Result.OK, new Translate("u", segment(1), "v", segment(1)));
        assertThat(found()).containsExactly("rename-safe");
    }

    @Test
    void historyInWhichANameIsOfTwoStreamsAtATimeCannotBeJudged() {
        call("m", Result.OK, new Rename("u", NAME, 0, 1));

        assertThatThrownBy(() -> HistoryChecker.check(history))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two streams");
    }

    @Test
    void renamesAndWhatIsToldOfThemAreWrittenAndReadBack() {
        call("reader", Result.OK, new Translate(OTHER, segment(2), NAME, segment(12)));

        List<String> lines = history.calls().stream().map(HistoryFormat::write).toList();

        assertThat(HistoryFormat.read(lines).calls()).isEqualTo(history.calls());
    }
}
