// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.stream.StreamException.Outcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What failures tell: programs rely on their codes. */
final class StreamExceptionTest {
    @Test
    void codesAreStableAndUnique() {
        Exception cause = new Exception("reason");
        List<StreamException> all = List.of(
                new StreamException.StreamNotFound("m"),
                new StreamException.StreamRenamed("m", "new", 3, Outcome.FAILED),
                new StreamException.StreamExists("m"),
                new StreamException.StreamOwned("m", "somebody", Instant.EPOCH),
                new StreamException.ForeignPosition("m"),
                new StreamException.InvalidName("m"),
                new StreamException.WriterFenced("m", Outcome.UNKNOWN),
                new StreamException.WriterFailed("m", Outcome.UNKNOWN, cause),
                new StreamException.WriterBusy("m"),
                new StreamException.TransactionIdOutOfOrder("m"),
                new StreamException.RecordTooLarge("m"),
                new StreamException.Truncated("m"),
                new StreamException.InvalidOptions("m"),
                new StreamException.WrongKey("m"),
                new StreamException.SubscriptionNotFound("m"),
                new StreamException.SubscriptionExists("m"),
                new StreamException.SubscriptionChanged("m"),
                new StreamException.SubscriptionInUse("m"),
                new StreamException.PositionBeyondEnd("m"),
                new StreamException.EndOfStream("m"),
                new StreamException.Corrupt("m", cause),
                new StreamException.Unavailable("m", cause),
                new StreamException.HandleClosed("m", Outcome.FAILED),
                new StreamException.Bug("m", cause));

        assertThat(all)
                .extracting(StreamException::code)
                .containsExactly(
                        "stream-not-found",
                        "stream-renamed",
                        "stream-exists",
                        "stream-owned",
                        "foreign-position",
                        "invalid-name",
                        "writer-fenced",
                        "writer-failed",
                        "writer-busy",
                        "transaction-id-out-of-order",
                        "record-too-large",
                        "truncated",
                        "invalid-options",
                        "wrong-key",
                        "subscription-not-found",
                        "subscription-exists",
                        "subscription-changed",
                        "subscription-in-use",
                        "position-beyond-end",
                        "end-of-stream",
                        "corrupt",
                        "unavailable",
                        "handle-closed",
                        "bug");
        assertThat(all)
                .filteredOn(StreamException::isRetryable)
                .extracting(StreamException::code)
                .containsExactly("stream-owned", "writer-failed", "writer-busy", "subscription-in-use", "unavailable");
        assertThat(all).hasSameSizeAs(StreamException.class.getPermittedSubclasses());
    }

    @Test
    void outcomeIsCertainOnlyWhereNothingCanBeStored() {
        assertThat(new StreamException.WriterFenced("m", Outcome.UNKNOWN).outcome())
                .isEqualTo(Outcome.UNKNOWN);
        assertThat(new StreamException.WriterBusy("m").outcome()).isEqualTo(Outcome.FAILED);
        assertThat(new StreamException.TransactionIdOutOfOrder("m").outcome()).isEqualTo(Outcome.FAILED);
    }
}
