// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.command.stream.TransactionIds.Rule;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The transaction ids of records that bring none. */
final class TransactionIdsTest {
    private final AtomicLong clock = new AtomicLong(1000);

    @Test
    void idsFromAClockNeverFallWhenTheClockDoes() {
        TransactionIds ids = new TransactionIds(Rule.time, 5, clock::get);
        assertThat(ids.next(OptionalLong.empty())).isEqualTo(1000);

        // D-38
        clock.set(10);
        assertThat(ids.next(OptionalLong.empty())).isEqualTo(1000);
        clock.set(1001);
        assertThat(ids.next(OptionalLong.empty())).isEqualTo(1001);
    }

    @Test
    void idsFollowThoseThatTheStreamAndItsRecordsHave() {
        assertThat(new TransactionIds(Rule.time, 7000, clock::get).next(OptionalLong.empty()))
                .isEqualTo(7000);
        TransactionIds ids = new TransactionIds(Rule.sequence, 5, clock::get);

        assertThat(ids.next(OptionalLong.empty())).isEqualTo(6);
        assertThat(ids.next(OptionalLong.of(40))).isEqualTo(40);
        assertThat(ids.next(OptionalLong.empty())).isEqualTo(41);
    }
}
