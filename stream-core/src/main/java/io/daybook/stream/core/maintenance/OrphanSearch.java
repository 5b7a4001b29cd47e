// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.StreamException;
import io.daybook.stream.core.segment.SegmentLedger;
import io.daybook.stream.core.segment.SegmentList;
import io.daybook.stream.core.segment.StreamEnvironment;
import io.daybook.stream.core.segment.StreamFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and deletes ledgers that were made for a stream but are in none of its segments and never will be: their writer crashed before it could name them.
 *
 * <p><i>Invariants:</i> proof, not time (M5). A ledger can enter a segment only by a change of the head of its incarnation, by a writer of its epoch. So it is an orphan
 * when, read after the ledger, the head is gone or of another incarnation; or when the head's epoch is higher and the segments, read after the head, do not name it.
 * <i>Threading:</i> the loop of the environment.
 */
final class OrphanSearch {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanSearch.class);

    private final StreamEnvironment environment;

    OrphanSearch(StreamEnvironment environment) {
        this.environment = environment;
    }

    /** Deletes the orphans among some ledgers; completes with how many there were. */
    CompletableFuture<Long> among(List<Long> ledgerIds) {
        Map<String, List<SegmentLedger>> byStream = new TreeMap<>();
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (long ledgerId : ledgerIds) {
            reads.add(segmentLedger(ledgerId)
                    .thenAccept(found -> found.ifPresent(
                            ledger -> byStream.computeIfAbsent(ledger.stream(), first -> new ArrayList<>())
                                    .add(ledger))));
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenCompose(done -> deleteOrphans(new ArrayList<>(byStream.entrySet()), 0));
    }

    /** What the ledger was made for; empty when it is of no stream, or gone. */
    private CompletableFuture<Optional<SegmentLedger>> segmentLedger(long ledgerId) {
        return environment
                .onLoop(environment.ledgers().metadata(ledgerId))
                .thenApply(read -> of(read.value()))
                .exceptionallyCompose(failure -> Failures.rootOf(failure) instanceof LedgerException.LedgerGone
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    private static Optional<SegmentLedger> of(LedgerMetadata ledger) {
        return SegmentLedger.of(ledger.ledgerId(), ledger.custom());
    }

    private CompletableFuture<Long> deleteOrphans(List<Map.Entry<String, List<SegmentLedger>>> streams, long deleted) {
        if (streams.isEmpty()) {
            return CompletableFuture.completedFuture(deleted);
        }
        Map.Entry<String, List<SegmentLedger>> next = streams.remove(streams.size() - 1);
        return orphans(next.getKey(), next.getValue())
                .thenCompose(orphans -> delete(next.getKey(), orphans).thenApply(done -> orphans.size()))
                .thenCompose(count -> deleteOrphans(streams, deleted + count));
    }

    private CompletableFuture<List<SegmentLedger>> orphans(String stream, List<SegmentLedger> ledgers) {
        return environment
                .onLoop(environment.metadata().read(stream))
                .thenCompose(head -> orphansBeside(head.value(), ledgers))
                .exceptionallyCompose(failure -> {
                    if (StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)) {
                        return CompletableFuture.completedFuture(ledgers);
                    }
                    if (isOfThisStreamAlone(failure)) {
                        LOG.warn("stream={} its ledgers are kept: {}", stream, failure.getMessage());
                        return CompletableFuture.completedFuture(List.of());
                    }
                    return CompletableFuture.failedFuture(failure);
                });
    }

    /** A stream that cannot be read is no stream that is gone (M6), and does not keep others from being looked at. */
    private static boolean isOfThisStreamAlone(Throwable failure) {
        return StreamFailures.isMetadata(failure, MetadataException.Code.UNREADABLE)
                || Failures.rootOf(failure) instanceof StreamException.Corrupt;
    }

    private CompletableFuture<List<SegmentLedger>> orphansBeside(StreamMetadata head, List<SegmentLedger> ledgers) {
        if (head.state() == StreamMetadata.State.DELETING) {
            // Its deletion comes first; after that nothing is left to name them.
            return CompletableFuture.completedFuture(List.of());
        }
        List<SegmentLedger> mayBe = ledgers.stream()
                .filter(ledger -> !ledger.incarnation().equals(head.incarnation()) || ledger.epoch() < head.epoch())
                .toList();
        if (mayBe.isEmpty()) {
            return CompletableFuture.completedFuture(mayBe);
        }
        return new SegmentList(environment, head.name()).from(0).thenApply(segments -> {
            TreeSet<Long> named = new TreeSet<>();
            segments.stream().map(SegmentMetadata::ledgerId).forEach(named::add);
            return mayBe.stream()
                    .filter(ledger -> !named.contains(ledger.ledgerId()))
                    .toList();
        });
    }

    private CompletableFuture<Void> delete(String stream, List<SegmentLedger> orphans) {
        return CompletableFuture.allOf(orphans.stream()
                .map(orphan -> {
                    LOG.info("stream={} ledger={} state=ORPHAN_DELETED", stream, orphan.ledgerId());
                    return environment.onLoop(environment.ledgers().delete(orphan.ledgerId()));
                })
                .toArray(CompletableFuture[]::new));
    }
}
