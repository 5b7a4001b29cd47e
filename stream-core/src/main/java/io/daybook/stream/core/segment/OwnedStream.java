// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Invariants;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A stream as its present writer holds it: the head of the writer's epoch, the segment in progress and its ledger.
 *
 * <p><i>Invariants:</i> S7: only the segment in progress takes records; its successor begins in the same change of metadata that completes it. One change at
 * a time. <i>Threading:</i> the loop of the environment.
 */
public final class OwnedStream {
    private final StreamEnvironment environment;
    private final End before;
    private Versioned<StreamMetadata> head;
    private SegmentMetadata segment;
    private LedgerWriter ledger;

    /**
     * Where a stream ended when it was taken over.
     *
     * @param position of the last record, {@link DLSN#BEFORE_ALL} for none
     * @param transactionId of the last record, -1 for none
     */
    public record End(DLSN position, long transactionId) {}

    /** Of a writer whose epoch {@code head} has, with a segment that was just begun in {@code ledger}. */
    public OwnedStream(
            StreamEnvironment environment,
            Versioned<StreamMetadata> head,
            SegmentMetadata segment,
            LedgerWriter ledger,
            End before) {
        this.environment = environment;
        this.head = head;
        this.segment = segment;
        this.ledger = ledger;
        this.before = before;
    }

    /** Where the stream ended before this writer. */
    public End endBefore() {
        return before;
    }

    /** The name. */
    public String name() {
        return head.value().name();
    }

    /** A head of it, which need not be the present one. */
    public StreamMetadata known() {
        return head.value();
    }

    /** How it is kept. */
    public StreamSettings settings() {
        return head.value().settings();
    }

    /** The epoch of this writer. */
    public long epoch() {
        return head.value().epoch();
    }

    /** The segment in progress. */
    public SegmentMetadata segment() {
        return segment;
    }

    /** Its ledger. */
    public LedgerWriter ledger() {
        return ledger;
    }

    /** Makes the ledger of the next segment. */
    public CompletableFuture<LedgerWriter> prepareLedger() {
        return createLedger(environment, head.value(), head.value().epoch());
    }

    /** Makes a ledger for a segment of the stream of {@code head}, by a writer of {@code epoch}. */
    public static CompletableFuture<LedgerWriter> createLedger(
            StreamEnvironment environment, StreamMetadata head, long epoch) {
        DigestType digest = head.settings().digest();
        DigestKey key = digest == DigestType.CRC32C ? DigestKey.NONE : environment.digestKey();
        if (digest != DigestType.CRC32C && key.equals(DigestKey.NONE)) {
            return CompletableFuture.failedFuture(new StreamException.WrongKey("stream '" + head.name()
                    + "': its entries have an HMAC, and this program has no key: open the namespace with the key"));
        }
        CreateOptions options = CreateOptions.DEFAULT
                .withQuorums(head.settings().quorums())
                .withDigest(digest, key)
                .withCustom(SegmentLedger.texts(head, epoch))
                .on(environment.loop());
        return environment.onLoop(environment.ledgers().create(options));
    }

    /** Gives up a ledger that was prepared and is in no segment. */
    public void discard(LedgerWriter unused) {
        discard(environment, unused);
    }

    /** Gives up a ledger that is in no segment and will be in none. */
    public static void discard(StreamEnvironment environment, LedgerWriter unused) {
        environment
                .loop()
                .resume(unused.close(), (end, failure) -> environment.ledgers().delete(unused.ledgerId()));
    }

    /**
     * Completes the segment, whose ledger is closed at that end, and goes on in {@code next}, which must not get entries before this is done (S7). When this fails
     * {@code next} is deleted, unless a segment names it or may come to name it.
     */
    public CompletableFuture<Void> roll(SegmentEnd end, LedgerWriter next) {
        SegmentMetadata completed = complete(end);
        SegmentMetadata begun = SegmentEnd.begin(
                completed.number() + 1,
                next.ledgerId(),
                completed.firstSequenceId() + completed.recordCount(),
                epoch(),
                environment.loop().wallMillis());
        return new HeadCommit(
                        environment,
                        head,
                        edit -> edit.completed(end.lastTransactionId()).segmentBegun(),
                        List.of(completed, begun))
                .run()
                .thenAccept(committed -> {
                    Invariants.require(
                            committed.value().nextSegmentNumber() == begun.number() + 1,
                            "S2: segment {} was begun but the head expects {} next",
                            begun.number(),
                            committed.value().nextSegmentNumber());
                    head = committed;
                    segment = begun;
                    ledger = next;
                })
                .whenComplete((done, failure) -> {
                    if (failure != null && UnusedLedger.isDecided(failure)) {
                        new UnusedLedger(environment, head.value(), next).discardUnlessNamed(begun.number());
                    }
                });
    }

    /** Completes the segment, whose ledger is closed at that end, without a successor. */
    public CompletableFuture<Void> finish(SegmentEnd end) {
        return finish(end, edit -> edit.completed(end.lastTransactionId()));
    }

    /** Completes the segment, whose ledger is closed at that end, and ends the stream with it, in one change (S12). */
    public CompletableFuture<Void> seal(SegmentEnd end) {
        return finish(end, edit -> edit.completed(end.lastTransactionId()).state(StreamMetadata.State.SEALED));
    }

    private CompletableFuture<Void> finish(SegmentEnd end, UnaryOperator<HeadEdit> change) {
        SegmentMetadata completed = complete(end);
        return new HeadCommit(environment, head, change, List.of(completed))
                .run()
                .thenAccept(committed -> {
                    head = committed;
                    segment = completed;
                });
    }

    /** Completes when the head says now that the stream is still this writer's; fails with what the application is told otherwise. */
    public CompletableFuture<Void> requireStillOwned() {
        return new Whereabouts(environment, head.value())
                .present()
                .thenAccept(now -> HeadCommit.requireStillOwned(head.value(), now));
    }

    private SegmentMetadata complete(SegmentEnd end) {
        Invariants.require(
                segment.state() == SegmentMetadata.State.IN_PROGRESS,
                "S7: segment {} is completed twice, in epoch {}",
                segment.number(),
                epoch());
        return end.complete(segment, environment.loop().wallMillis());
    }
}
