// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.WriteToken;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.daybook.runtime.RandomSource;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a machine of the stream layer is given: its loop and what it acts through.
 *
 * @param loop where the machine lives
 * @param digestKey the key of streams whose entries have an HMAC; {@link DigestKey#NONE} when the program has none
 * @param random its own chance
 * @param faults where defects are planted in tests
 * @param program who this program is, for people
 */
public record StreamEnvironment(
        EventLoop loop,
        LedgerClient ledgers,
        DigestKey digestKey,
        StreamMetadataStore metadata,
        SubscriptionStore subscriptions,
        LockStore locks,
        RandomSource random,
        Faults faults,
        ProgramName program) {
    /** The same on another loop, with chance of its own. */
    public StreamEnvironment on(EventLoop otherLoop, RandomSource itsRandom) {
        return new StreamEnvironment(
                otherLoop, ledgers, digestKey, metadata, subscriptions, locks, itsRandom, faults, program);
    }

    /** The outcome of a stage, told on the loop without the wrappers of futures. */
    public <T> CompletableFuture<T> onLoop(CompletionStage<T> stage) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.resume(stage, (value, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            } else {
                outcome.complete(value);
            }
        });
        return outcome;
    }

    /** Opens the ledger of a segment of the stream of {@code head}; fails with {@link StreamException.Corrupt} when it has another digest than the stream. */
    public CompletableFuture<LedgerReader> openLedger(StreamMetadata head, SegmentMetadata segment) {
        return onLoop(ledgers.open(segment.ledgerId(), openOptions()))
                .thenApply(ledger -> requireDigest(head, segment, ledger));
    }

    /** As {@link #openLedger}, with recovery, which fences whoever writes the ledger. */
    public CompletableFuture<LedgerReader> recoverLedger(StreamMetadata head, SegmentMetadata segment) {
        return onLoop(ledgers.recover(segment.ledgerId(), openOptions()))
                .thenApply(ledger -> requireDigest(head, segment, ledger));
    }

    /** A digest that needs no key proves nothing: entries of a stream with an HMAC are not taken from a ledger without one (P-06). */
    private static LedgerReader requireDigest(StreamMetadata head, SegmentMetadata segment, LedgerReader ledger) {
        DigestType digest = ledger.metadata().digest();
        if (digest == head.settings().digest()) {
            return ledger;
        }
        ledger.close();
        String what = "ledger " + segment.ledgerId() + " has the digest " + digest + ", the stream "
                + head.settings().digest();
        throw StreamFailures.corrupt(
                head.name(), new DLSN(segment.number(), 0, 0), what, new IllegalStateException("a foreign ledger"));
    }

    private OpenOptions openOptions() {
        return OpenOptions.DEFAULT.withKey(digestKey).on(loop);
    }

    /** Completes on the loop after a time. */
    public CompletableFuture<Void> pause(long nanos) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        loop.schedule(nanos, () -> over.complete(null));
        return over;
    }

    /** A token for a new value. */
    public WriteToken freshToken() {
        return new WriteToken(random.nextLong(), random.nextLong());
    }

    /**
     * Who a program is, for people.
     *
     * @param host name of the machine; empty when {@code label} tells enough
     * @param processId number of the process there
     * @param label what the program calls itself; may be empty
     */
    public record ProgramName(String host, long processId, String label) {
        /** A program that is told by its label alone. */
        public static ProgramName of(String label) {
            return new ProgramName("", 0, label);
        }

        /** The same program under a further label; an empty one changes nothing. */
        public ProgramName labelled(String next) {
            return next.isEmpty() ? this : new ProgramName(host, processId, next);
        }

        /** As the holder of a lock from now on. */
        public Owner owner(long sinceMillis, WriteToken token) {
            return new Owner(host, processId, label, sinceMillis, token);
        }
    }
}
