// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.core.segment.HeadEdit;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** S-30 (b): a stream of very many segments. */
final class ManySegmentsTest {
    private static final long SEGMENTS = 50_000;

    private final SimulatedStage stage = new SimulatedStage(11);
    private final FaultyStores counted = new FaultyStores(stage.stores());
    private final StreamsNamespace namespace = stage.program("program", counted).namespace();

    /** A completed segment without records, as writers leave behind that are killed before they write. */
    private static SegmentMetadata empty(long number, long firstSequenceId) {
        return new SegmentMetadata(
                number,
                1_000_000 + number,
                SegmentMetadata.State.COMPLETED,
                -1,
                -1,
                0,
                firstSequenceId,
                -1,
                -1,
                1,
                0,
                1,
                0);
    }

    private void addEmptySegments(String stream) {
        Versioned<StreamMetadata> head = stage.await(stage.metadata().read(stream));
        while (head.value().nextSegmentNumber() <= SEGMENTS) {
            long first = head.value().nextSegmentNumber();
            long end = Math.min(SEGMENTS + 1, first + StreamChange.SEGMENTS_MAX);
            List<SegmentMetadata> some = LongStream.range(first, end)
                    .mapToObj(number -> empty(number, 1))
                    .toList();
            HeadEdit edit = new HeadEdit(head.value());
            StreamMetadata next = edit.build(new WriteToken(7, first));
            for (long number = first; number < end; number++) {
                next = new HeadEdit(next).segmentBegun().build(new WriteToken(7, number));
            }
            head = stage.await(stage.metadata().commit(new StreamChange(next, head.version(), some, List.of())));
        }
    }

    @Test
    void streamIsWrittenReadAndSearchedThroughAllOfThem() {
        LogStream stream = stage.await(namespace.openStream("s", OpenMode.CREATE_NEW));
        LogWriter before = stage.await(stream.openWriter());
        DLSN first = stage.await(before.append(LogRecord.of(1, "before")));
        stage.await(before.closeWriter());
        addEmptySegments("s");
        long readsBefore = counted.reads();

        LogWriter writer = stage.await(stream.openWriter());
        assertThat(writer.lastPosition()).isEqualTo(first);
        DLSN second = stage.await(writer.append(LogRecord.of(2, "after")));

        assertThat(second.segment()).isGreaterThan(SEGMENTS);
        // The newest segment with a record is the first one: one look at all of them finds it, page by page.
        assertThat(counted.reads() - readsBefore).isLessThan(2 * SEGMENTS / 1_000 + 20);
        LogReader reader = stage.await(stream.openReader(StartPosition.earliest()));
        assertThat(stage.await(reader.next()).position()).isEqualTo(first);
        PositionedRecord found = stage.await(reader.next());
        assertThat(found.position()).isEqualTo(second);
        assertThat(found.sequenceId()).isEqualTo(1);
        long readsOfReader = counted.reads();
        assertThat(stage.await(stage.await(stream.openReader(StartPosition.after(first)))
                                .next())
                        .position())
                .isEqualTo(second);
        assertThat(counted.reads() - readsOfReader).isLessThan(2 * SEGMENTS / 64 + 20);
        assertThat(stage.await(stream.find(StartPosition.atTransactionId(2)))
                        .orElseThrow()
                        .position())
                .isEqualTo(second);
        assertThat(stage.await(stream.lastRecord()).orElseThrow().position()).isEqualTo(second);
        assertThat(stage.await(stream.status()).segments()).hasSizeLessThanOrEqualTo(1_001);
    }
}
