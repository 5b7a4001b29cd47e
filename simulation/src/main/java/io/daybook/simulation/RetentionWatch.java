// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.simulation.streams.StreamScene;
import io.daybook.simulation.streams.StreamSituations;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.DLSN;
import io.daybook.stream.core.position.StartResolver;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.StreamWatch.Changed;
import java.util.List;

/**
 * What nobody has truncated was cut off by retention: of that only whole completed segments, each of which was too old or too much, and never the newest that has records. Notices too which
 * segments end for their age.
 */
final class RetentionWatch {
    private final Stage stage;
    private final List<StreamScene> scenes;

    private RetentionWatch(Stage stage, List<StreamScene> scenes) {
        this.stage = stage;
        this.scenes = scenes;
    }

    /** Watches from now on. */
    static void begin(Stage stage, List<StreamScene> scenes) {
        if (!scenes.isEmpty()) {
            stage.cluster().streamWatch().onChange(new RetentionWatch(stage, scenes)::changed);
        }
    }

    private void changed(Changed changed) {
        StreamMetadata before = changed.before();
        StreamMetadata after = changed.change().head();
        scenes.stream().filter(scene -> scene.has(after.name())).findFirst().ifPresent(scene -> {
            noticeRoll(changed);
            DLSN firstKept = StartResolver.firstKept(after);
            boolean isCut = firstKept.compareTo(StartResolver.firstKept(before)) > 0;
            if (isCut && !scene.isTruncation(after.name(), firstKept)) {
                scene.retained(after.name(), firstKept);
                check(changed, firstKept);
            }
        });
    }

    private void noticeRoll(Changed changed) {
        StreamSettings settings = changed.before().settings();
        boolean isRolled = changed.change().puts().stream()
                .anyMatch(segment -> segment.state() == SegmentMetadata.State.COMPLETED
                        && settings.segmentMillisMax() > 0
                        && segment.recordCount() > 0
                        && segment.completedMillis() - segment.createdMillis() >= settings.segmentMillisMax()
                        && segment.payloadBytes() < settings.segmentBytesMax()
                        && segment.epoch() == changed.change().head().epoch());
        if (isRolled) {
            stage.world().faults().count(StreamSituations.ROLLED_BY_AGE);
        }
    }

    private void check(Changed changed, DLSN firstKept) {
        StreamSettings settings = changed.before().settings();
        long bytesLeft = 0;
        boolean isRecordKept = false;
        for (SegmentMetadata segment : changed.segments()) {
            if (segment.number() >= firstKept.segment()) {
                bytesLeft += segment.state() == SegmentMetadata.State.COMPLETED ? segment.payloadBytes() : 0;
                isRecordKept |= segment.recordCount() > 0;
            }
        }
        boolean isTooMuch = settings.retentionBytes() > 0 && bytesLeft >= settings.retentionBytes();
        boolean isTooOld = true;
        boolean isCompleted = true;
        for (SegmentMetadata segment : changed.segments()) {
            if (segment.number() < firstKept.segment() && segment.state() != SegmentMetadata.State.TRUNCATED) {
                isCompleted &= segment.state() == SegmentMetadata.State.COMPLETED;
                isTooOld &= settings.retentionMillis() > 0
                        && segment.completedMillis() + settings.retentionMillis()
                                <= stage.world().wallMillis();
            }
        }
        boolean isWhole = firstKept.entry() == 0 && firstKept.slot() == 0;
        if (!isWhole || !isCompleted || !isRecordKept || !(isTooMuch || isTooOld)) {
            String text = "stream=" + changed.before().name() + " was cut off up to " + firstKept + ", with " + settings
                    + ", of " + changed.segments();
            stage.violations().add(new Violation("retention", -1, -1, text));
        }
        stage.world().faults().count(isTooOld ? StreamSituations.RETAINED_BY_AGE : StreamSituations.RETAINED_BY_SIZE);
    }
}
