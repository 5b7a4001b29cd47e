// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.stream.core.maintenance.MaintenanceConfig;
import io.daybook.stream.core.segment.SegmentLedger;
import io.daybook.testkit.check.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** S-40, V6: ledgers that can be told to belong to no stream are deleted in the end, whoever was to name them, or to delete them, and crashed. */
final class StreamRemains {
    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();
    private static final long LOOK_NANOS = Duration.ofSeconds(2).toNanos();
    private static final MaintenanceConfig MAINTENANCE =
            new MaintenanceConfig(true, Duration.ofSeconds(1), Duration.ofSeconds(1));
    private static final int PAGE = 1000;

    private final Stage stage;
    private final List<StreamScene> scenes;
    private final StreamMetadataStore streams;

    /** Of the streams of a run, as {@code judge} sees them. */
    StreamRemains(Stage stage, List<StreamScene> scenes, ClientNode judge) {
        this.stage = stage;
        this.scenes = scenes;
        this.streams = judge.stores().streams();
    }

    /** Waits until nothing is left; a violation for each ledger that stays. {@code namespace} may be elected for it, since all that were may have ended. */
    void awaitNone(StreamsNamespace namespace) {
        Set<Long> left = left();
        if (!left.isEmpty()) {
            namespace.maintain(MAINTENANCE, report -> {});
        }
        for (long waited = 0; !left.isEmpty() && waited < PATIENCE_NANOS; waited += LOOK_NANOS) {
            stage.world().runFor(LOOK_NANOS);
            left = left();
        }
        left.forEach(ledgerId -> stage.violations()
                .add(new Violation("orphan", ledgerId, -1, "belongs to no stream and is never deleted")));
    }

    private Set<Long> left() {
        Set<Long> left = new TreeSet<>();
        for (StreamScene scene : scenes) {
            List<StreamMetadata> heads = new ArrayList<>();
            Set<Long> named = new TreeSet<>();
            for (String name : scene.names().present()) {
                heads.add(await(streams.read(name)).value());
                named.addAll(named(name));
            }
            for (long ledgerId : stage.ledgerIds()) {
                stage.segmentLedger(ledgerId)
                        .filter(ledger -> scene.names().all().contains(ledger.stream()))
                        .filter(ledger -> mayNotBeNamedAnyMore(ledger, heads) && !named.contains(ledgerId))
                        .ifPresent(ledger -> left.add(ledgerId));
            }
        }
        return left;
    }

    /** One of the last writer may be named yet, as long as nobody takes the stream over. */
    private static boolean mayNotBeNamedAnyMore(SegmentLedger ledger, List<StreamMetadata> heads) {
        return heads.stream()
                .noneMatch(head -> ledger.identity().equals(head.identity()) && ledger.epoch() >= head.epoch());
    }

    private Set<Long> named(String stream) {
        Set<Long> named = new TreeSet<>();
        long after = 0;
        boolean isLast = false;
        while (!isLast) {
            Page<SegmentMetadata> page = await(streams.segments(stream, after, PAGE));
            for (SegmentMetadata segment : page.items()) {
                named.add(segment.ledgerId());
                after = segment.number();
            }
            isLast = page.isLast();
        }
        return named;
    }

    private <T> T await(CompletableFuture<T> future) {
        return stage.world().await(future, PATIENCE_NANOS);
    }
}
