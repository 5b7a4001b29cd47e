// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.runtime.Timer;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.ReadResult;
import io.daybook.stream.core.position.ReadCursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A reading call that waits for its turn; each is completed once, in the order of the calls. */
sealed interface ReadRequest {
    /** What is completed. */
    CompletableFuture<?> outcome();

    /** The next record. */
    record Next(CompletableFuture<PositionedRecord> outcome) implements ReadRequest {}

    /** Some records, or the news that there are none. */
    final class Batch implements ReadRequest {
        private final int countMax;
        private final CompletableFuture<ReadResult> outcome = new CompletableFuture<>();
        private boolean isOverdue;
        private @Nullable Timer timer;

        Batch(int countMax) {
            this.countMax = countMax;
        }

        int countMax() {
            return countMax;
        }

        /** Its time is over: as soon as it is certain that nothing is there, it is told so. */
        void overdue() {
            isOverdue = true;
        }

        /** {@code timer} will tell that its time is over. */
        void until(Timer end) {
            timer = end;
        }

        /** It was answered. */
        void answered() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }

        boolean isOverdue() {
            return isOverdue;
        }

        @Override
        public CompletableFuture<ReadResult> outcome() {
            return outcome;
        }
    }

    /** Records that stand before {@code end}; none when all those were read. */
    record Before(ReadCursor end, int countMax, CompletableFuture<List<PositionedRecord>> outcome)
            implements ReadRequest {}
}
