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
 * <p><i>Invariants:</i> proof, not time (M5). A ledger can enter a segment only by a change of the head of its stream, whatever that is called now, by a writer of its epoch. So it is
 * an orphan when, read after the ledger, no name is that stream's; or when the head's epoch is higher and the segments, read after the head, do not name it. A stream that is renamed
 * between two of these reads keeps its ledgers until the next search.
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
                            ledger -> byStream.computeIfAbsent(ledger.identity().hex(), first -> new ArrayList<>())
                                    .add(ledger))));
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenCompose(done -> deleteOrphans(new ArrayList<>(byStream.values()), 0));
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

    private CompletableFuture<Long> deleteOrphans(List<List<SegmentLedger>> streams, long deleted) {
        if (streams.isEmpty()) {
            return CompletableFuture.completedFuture(deleted);
        }
        List<SegmentLedger> next = streams.remove(streams.size() - 1);
        return orphans(next)
                .thenCompose(orphans -> delete(orphans).thenApply(done -> orphans.size()))
                .thenCompose(count -> deleteOrphans(streams, deleted + count));
    }

    /** Those of the ledgers of one stream. */
    private CompletableFuture<List<SegmentLedger>> orphans(List<SegmentLedger> ledgers) {
        SegmentLedger one = ledgers.get(0);
        return environment
                .onLoop(environment.metadata().nameOf(one.identity()))
                .thenCompose(name -> environment
                        .onLoop(environment.metadata().read(name))
                        .thenCompose(head -> head.value().identity().equals(one.identity())
                                ? orphansBeside(head.value(), ledgers)
                                : CompletableFuture.completedFuture(List.<SegmentLedger>of()))
                        .exceptionallyCompose(failure -> orKept(one, List.of(), failure)))
                .exceptionallyCompose(failure -> StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)
                        ? orphansByName(ledgers)
                        : orKept(one, List.of(), failure));
    }

    /** The stream has no home: it is gone, or was made before streams had one, and has its name for ever. */
    private CompletableFuture<List<SegmentLedger>> orphansByName(List<SegmentLedger> ledgers) {
        SegmentLedger one = ledgers.get(0);
        return environment
                .onLoop(environment.metadata().read(one.stream()))
                .thenCompose(head -> head.value().identity().equals(one.identity())
                        ? orphansBeside(head.value(), ledgers)
                        : CompletableFuture.completedFuture(ledgers))
                .exceptionallyCompose(failure -> orKept(one, ledgers, failure));
    }

    /** What a head that is not there makes of the ledgers; a stream that cannot be read keeps them. */
    private static CompletableFuture<List<SegmentLedger>> orKept(
            SegmentLedger one, List<SegmentLedger> ifNotFound, Throwable failure) {
        if (StreamFailures.isMetadata(failure, MetadataException.Code.NOT_FOUND)) {
            return CompletableFuture.completedFuture(ifNotFound);
        }
        if (isOfThisStreamAlone(failure)) {
            LOG.warn("stream={} its ledgers are kept: {}", one.stream(), failure.getMessage());
            return CompletableFuture.completedFuture(List.of());
        }
        return CompletableFuture.failedFuture(failure);
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
        List<SegmentLedger> mayBe =
                ledgers.stream().filter(ledger -> ledger.epoch() < head.epoch()).toList();
        if (mayBe.isEmpty()) {
            return CompletableFuture.completedFuture(mayBe);
        }
        // A listing knows the name only: it was made of this stream if the name is still its own afterwards (S14).
        return new SegmentList(environment, head.name())
                .from(0)
                .thenCompose(segments -> environment
                        .onLoop(environment.metadata().read(head.name()))
                        .thenApply(now -> now.value().incarnation().equals(head.incarnation())
                                ? unnamed(mayBe, segments)
                                : List.of()));
    }

    private static List<SegmentLedger> unnamed(List<SegmentLedger> ledgers, List<SegmentMetadata> segments) {
        TreeSet<Long> named = new TreeSet<>();
        segments.stream().map(SegmentMetadata::ledgerId).forEach(named::add);
        return ledgers.stream()
                .filter(ledger -> !named.contains(ledger.ledgerId()))
                .toList();
    }

    private CompletableFuture<Void> delete(List<SegmentLedger> orphans) {
        return CompletableFuture.allOf(orphans.stream()
                .map(orphan -> {
                    LOG.info("stream={} ledger={} state=ORPHAN_DELETED", orphan.stream(), orphan.ledgerId());
                    return environment.onLoop(environment.ledgers().delete(orphan.ledgerId()));
                })
                .toArray(CompletableFuture[]::new));
    }
}
