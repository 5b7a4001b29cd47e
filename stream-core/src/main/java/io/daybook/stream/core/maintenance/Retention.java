// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.stream.DLSN;
import java.util.List;
import java.util.Optional;

/** The arithmetic of retention: which of the oldest segments of a stream its settings let go. */
final class Retention {
    private final StreamSettings settings;

    Retention(StreamSettings settings) {
        this.settings = settings;
    }

    /** Whether anything is ever let go. */
    boolean isBounded() {
        return settings.retentionMillis() > 0 || settings.retentionBytes() > 0;
    }

    /**
     * The position below which the stream is to be truncated; empty when everything is kept. Oldest segments go while they were completed too long ago, or while
     * completed ones with enough bytes are left. The newest segment that has records stays, and a segment in progress ends it.
     *
     * @param segments all of them, in order
     */
    Optional<DLSN> firstKept(List<SegmentMetadata> segments, long nowMillis) {
        long bytesLeft = 0;
        long newestWithRecords = 0;
        for (SegmentMetadata segment : segments) {
            boolean isComplete = segment.state() == SegmentMetadata.State.COMPLETED;
            bytesLeft += isComplete ? segment.payloadBytes() : 0;
            newestWithRecords = segment.recordCount() > 0 ? segment.number() : newestWithRecords;
        }
        Optional<DLSN> firstKept = Optional.empty();
        for (SegmentMetadata segment : segments) {
            if (segment.state() == SegmentMetadata.State.TRUNCATED) {
                continue;
            }
            boolean mayGo = segment.state() == SegmentMetadata.State.COMPLETED && segment.number() < newestWithRecords;
            if (!mayGo || !(isTooOld(segment, nowMillis) || isTooMuch(segment, bytesLeft))) {
                return firstKept;
            }
            bytesLeft -= segment.payloadBytes();
            firstKept = Optional.of(new DLSN(segment.number() + 1, 0, 0));
        }
        return firstKept;
    }

    private boolean isTooOld(SegmentMetadata segment, long nowMillis) {
        return settings.retentionMillis() > 0 && segment.completedMillis() < nowMillis - settings.retentionMillis();
    }

    private boolean isTooMuch(SegmentMetadata segment, long bytesLeft) {
        return settings.retentionBytes() > 0 && bytesLeft - segment.payloadBytes() >= settings.retentionBytes();
    }
}
