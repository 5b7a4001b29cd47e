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
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Where a reader begins that begins at the end, at a transaction id or at a time (S10): each check against a history that is good but for one thing. A record is appended every second, from the
 * first on, each in a segment of its own.
 */
final class SeekChecksTest {
    private static final String STREAM = "s";
    private static final long SECOND = 1_000_000_000L;
    private static final int SEGMENTS = 6;

    private final History history = new History();

    private static Seen record(long number) {
        ByteBuf payload = Value.payload("w", number, 20);
        try {
            return new Seen(Value.of(payload), number * 10, new DLSN(number, 0, 0));
        } finally {
            payload.release();
        }
    }

    private void call(String process, long fromNanos, long toNanos, StreamDetail detail) {
        history.add(new Call(process, fromNanos, toNanos, Result.OK, -1, detail));
    }

    private void polled(long fromNanos, long toNanos, @Nullable StartPosition start, Seen... records) {
        call("r", fromNanos, toNanos, new Poll(STREAM, start, List.of(records), Found.RECORDS));
    }

    private void written() {
        call("c", 0, 1, new Created(STREAM, true));
        for (long number = 1; number <= SEGMENTS; number++) {
            call("w", number * SECOND, number * SECOND + 5, new Appends(STREAM, List.of(record(number))));
        }
    }

    private Set<String> found() {
        Set<String> checks = new TreeSet<>();
        HistoryChecker.check(history).forEach(violation -> checks.add(violation.check()));
        return checks;
    }

    /** The reader is open when the third record is there and the fourth is not. */
    private void openedAt(StartPosition start) {
        written();
        polled(3 * SECOND + 100, 3 * SECOND + 200, start);
    }

    @Test
    void endIsBehindWhatWasAcknowledged() {
        openedAt(StartPosition.latest());
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(4));
        assertThat(found()).isEmpty();
    }

    @Test
    void readerThatBeginsBelowTheEndIsFound() {
        openedAt(StartPosition.latest());
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(2));
        assertThat(found()).contains("latest");
    }

    @Test
    void recordWhoseAcknowledgementTheBookiesHaveNotHeardOfMayStandAtTheEnd() {
        openedAt(StartPosition.latest());
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(3));
        assertThat(found()).isEmpty();
    }

    @Test
    void readerThatPassesWhatWasAppendedSinceItWasOpenIsFound() {
        openedAt(StartPosition.latest());
        polled(3 * SECOND + 300, 5 * SECOND + 300, null, record(5));
        assertThat(found()).containsExactly("gap");
    }

    @Test
    void whatIsAppendedWhileAReaderIsOpenedIsReadOrNot() {
        written();
        polled(3 * SECOND + 100, 4 * SECOND + 100, StartPosition.latest());
        polled(4 * SECOND + 300, 5 * SECOND + 300, null, record(4));
        assertThat(found()).isEmpty();
        call(
                "other",
                3 * SECOND + 100,
                4 * SECOND + 100,
                new Poll(STREAM, StartPosition.latest(), List.of(), Found.RECORDS));
        call("other", 4 * SECOND + 300, 5 * SECOND + 300, new Poll(STREAM, null, List.of(record(5)), Found.RECORDS));
        assertThat(found()).isEmpty();
    }

    @Test
    void transactionIdThatIsTooLowIsFoundInALaterPollToo() {
        openedAt(StartPosition.atTransactionId(35));
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(3));
        assertThat(found()).contains("txid");
    }

    @Test
    void transactionIdThatIsPassedIsFound() {
        openedAt(StartPosition.atTransactionId(35));
        polled(3 * SECOND + 300, 5 * SECOND + 300, null, record(5));
        assertThat(found()).containsExactly("gap");
    }

    @Test
    void timeMeansTheSegmentInWhichItFell() {
        openedAt(StartPosition.atTime(Instant.ofEpochMilli(2_500)));
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(2), record(3));
        assertThat(found()).isEmpty();
    }

    @Test
    void recordOfTheTimeThatIsPassedIsFound() {
        openedAt(StartPosition.atTime(Instant.ofEpochMilli(2_000)));
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(3));
        assertThat(found()).containsExactly("gap");
    }

    @Test
    void segmentThatWasOverBeforeTheTimeIsFound() {
        openedAt(StartPosition.atTime(Instant.ofEpochMilli(2_500)));
        polled(3 * SECOND + 300, 4 * SECOND + 300, null, record(1));
        assertThat(found()).containsExactly("time");
    }

    @Test
    void timesOutliveTheTextForm() {
        openedAt(StartPosition.atTime(Instant.ofEpochMilli(2_500)));
        for (Call call : history.calls()) {
            assertThat(HistoryFormat.read(HistoryFormat.write(call))).isEqualTo(call);
        }
    }
}
