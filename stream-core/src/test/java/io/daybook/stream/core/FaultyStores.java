// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.ClusterStore;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Metadata stores whose store of streams loses answers, goes away, and never gives notice, as a test says. <i>Threading:</i> one thread. */
final class FaultyStores implements MetadataStores {
    /** What becomes of a commit. */
    enum Commit {
        /** It is done. */
        DONE,
        /** It is done, but nobody can tell. */
        DONE_UNKNOWN,
        /** It is not done, but nobody can tell. */
        NOT_DONE_UNKNOWN,
        /** It is not done. */
        UNAVAILABLE
    }

    private final MetadataStores real;
    private final Streams streams = new Streams();
    private final Set<Watch> openWatches = new HashSet<>();
    private Commit nextCommit = Commit.DONE;
    private String unreadable = "";
    private boolean isNextReplacementUnknown;
    private boolean isAway;
    private boolean isDeaf;
    private boolean isNextPageEmpty;
    private boolean keepsLossesBack;
    private long reads;
    private int commitsUntilFailure = Integer.MAX_VALUE;
    private int callsUntilFailure = Integer.MAX_VALUE;
    private CompletableFuture<Void> unknownAnswer = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> listing = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> listed = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> subscriptionListing = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> subscriptionDeletion = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);
    private final List<WriteToken> lockTokens = new ArrayList<>();

    FaultyStores(MetadataStores real) {
        this.real = real;
    }

    /** How many watches of streams are open. */
    int openWatches() {
        return openWatches.size();
    }

    /** What becomes of the next commit only. */
    void nextCommit(Commit what) {
        nextCommit = what;
    }

    /** Nobody is told that a commit is of unknown outcome, until {@link #releaseUnknownAnswers}. */
    void holdUnknownAnswers() {
        unknownAnswer = new CompletableFuture<>();
    }

    /** What is of unknown outcome is told now. */
    void releaseUnknownAnswers() {
        unknownAnswer.complete(null);
    }

    /** Commits wait from now on before they are made. */
    void holdCommits() {
        sending = new CompletableFuture<>();
    }

    /** Commits that wait are made now. */
    void releaseCommits() {
        sending.complete(null);
    }

    /** The head of this stream cannot be read, as when a newer version wrote it. */
    void unreadable(String stream) {
        unreadable = stream;
    }

    /** The next change of a subscription is done, but nobody can tell. */
    void nextReplacementUnknown() {
        isNextReplacementUnknown = true;
    }

    /** Whether nothing answers. */
    void away(boolean away) {
        isAway = away;
    }

    /** Listings of segments wait from now on. */
    void holdListings() {
        listing = new CompletableFuture<>();
    }

    /** Listings of segments are made, and what they found waits from now on. */
    void holdWhatIsListed() {
        listed = new CompletableFuture<>();
    }

    /** What was listed goes on; what is listed next waits again. */
    void releaseOneListing() {
        CompletableFuture<Void> before = listed;
        holdWhatIsListed();
        before.complete(null);
    }

    /** Listings of subscriptions wait from now on, until {@link #releaseListings}. */
    void holdSubscriptionListings() {
        subscriptionListing = new CompletableFuture<>();
    }

    /** Deletions of subscriptions wait from now on, until {@link #releaseSubscriptionDeletions}. */
    void holdSubscriptionDeletions() {
        subscriptionDeletion = new CompletableFuture<>();
    }

    /** Deletions that wait are made now. */
    void releaseSubscriptionDeletions() {
        subscriptionDeletion.complete(null);
    }

    /** The tokens with which locks were asked for so far. */
    List<WriteToken> lockTokens() {
        return lockTokens;
    }

    /** Listings that wait are made now. */
    void releaseListings() {
        listing.complete(null);
        listed.complete(null);
        subscriptionListing.complete(null);
    }

    /** The next listing of segments has nothing on its first page, as when all that stood there was removed meanwhile. */
    void emptyPageNext() {
        isNextPageEmpty = true;
    }

    /** Requests to read heads and segments so far. */
    long reads() {
        return reads;
    }

    /** No notices are given from now on. */
    void deaf() {
        isDeaf = true;
    }

    /** Whoever takes a lock from now on never hears that it is lost. */
    void keepLossesBack() {
        keepsLossesBack = true;
    }

    /** So many more commits are done, then nothing answers any more. */
    void awayAfterCommits(int count) {
        commitsUntilFailure = count;
    }

    /** So many more calls are answered, then nothing answers any more. */
    void awayAfterCalls(int count) {
        callsUntilFailure = count;
    }

    private <T> CompletableFuture<T> unlessAway(Supplier<CompletableFuture<T>> call) {
        isAway = isAway || callsUntilFailure-- <= 0;
        return isAway ? failed(Code.UNAVAILABLE) : call.get();
    }

    private static <T> CompletableFuture<T> failed(Code code) {
        return CompletableFuture.failedFuture(new MetadataException(code, "the metadata store does not answer"));
    }

    @Override
    public ClusterStore cluster() {
        return real.cluster();
    }

    @Override
    public LedgerMetadataStore ledgers() {
        return real.ledgers();
    }

    @Override
    public LedgerIdAllocator ledgerIds() {
        return real.ledgerIds();
    }

    @Override
    public BookieRegistry bookies() {
        return real.bookies();
    }

    @Override
    public StreamMetadataStore streams() {
        return streams;
    }

    @Override
    public LockStore locks() {
        return new Locks();
    }

    @Override
    public SubscriptionStore subscriptions() {
        return new Subscriptions();
    }

    @Override
    public void close() {
        real.close();
    }

    private final class Streams implements StreamMetadataStore {
        @Override
        public CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata metadata) {
            return unlessAway(() -> real.streams().create(metadata));
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> read(String name) {
            reads++;
            return name.equals(unreadable)
                    ? failed(Code.UNREADABLE)
                    : unlessAway(() -> real.streams().read(name));
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> commit(StreamChange change) {
            return afterFault(() -> real.streams().commit(change));
        }

        private <T> CompletableFuture<T> afterFault(Supplier<CompletableFuture<T>> change) {
            isAway = isAway || commitsUntilFailure-- <= 0;
            Commit what = nextCommit;
            nextCommit = Commit.DONE;
            return switch (what) {
                case DONE -> sending.thenCompose(released -> unlessAway(change));
                case DONE_UNKNOWN -> change.get().thenCompose(done -> unknown());
                case NOT_DONE_UNKNOWN -> unknown();
                case UNAVAILABLE -> failed(Code.UNAVAILABLE);
            };
        }

        private <T> CompletableFuture<T> unknown() {
            return unknownAnswer.thenCompose(released -> failed(Code.OUTCOME_UNKNOWN));
        }

        @Override
        public CompletableFuture<Versioned<StreamMetadata>> rename(StreamChange change, NewName to) {
            return afterFault(() -> real.streams().rename(change, to));
        }

        @Override
        public CompletableFuture<String> nameOf(WriteToken identity) {
            return unlessAway(() -> real.streams().nameOf(identity));
        }

        @Override
        public CompletableFuture<Void> delete(String name, long version) {
            return unlessAway(() -> real.streams().delete(name, version));
        }

        @Override
        public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
            reads++;
            if (isNextPageEmpty) {
                isNextPageEmpty = false;
                return CompletableFuture.completedFuture(new Page<>(List.of(), false));
            }
            CompletableFuture<Void> held = listed;
            return listing.thenCompose(
                            released -> unlessAway(() -> real.streams().segments(name, afterNumber, countMax)))
                    .thenCompose(page -> held.thenApply(released -> page));
        }

        @Override
        public CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax) {
            return unlessAway(() -> real.streams().list(prefix, afterName, countMax));
        }

        @Override
        public Watch watch(String name, Runnable listener) {
            Watch watch = real.streams().watch(name, () -> {
                if (!isDeaf) {
                    listener.run();
                }
            });
            openWatches.add(watch);
            return () -> {
                openWatches.remove(watch);
                watch.close();
            };
        }
    }

    private final class Locks implements LockStore {
        @Override
        public CompletableFuture<Attempt> tryAcquire(String name, Owner owner) {
            lockTokens.add(owner.token());
            return real.locks().tryAcquire(name, owner).thenApply(this::seen);
        }

        private Attempt seen(Attempt attempt) {
            return keepsLossesBack && attempt instanceof Attempt.Taken taken
                    ? new Attempt.Taken(new DeafHold(taken.hold()))
                    : attempt;
        }

        @Override
        public CompletableFuture<Hold> seize(String name, Owner owner) {
            lockTokens.add(owner.token());
            return real.locks().seize(name, owner);
        }

        @Override
        public CompletableFuture<Optional<Owner>> holder(String name) {
            return real.locks().holder(name);
        }

        @Override
        public Watch watch(String name, Runnable listener) {
            return real.locks().watch(name, listener);
        }
    }

    /** Of a lock whose loss is kept back. */
    private record DeafHold(LockStore.Hold real) implements LockStore.Hold {
        @Override
        public CompletableFuture<Void> lost() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> release() {
            return real.release();
        }
    }

    private final class Subscriptions implements SubscriptionStore {
        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> create(
                StreamMetadata stream, SubscriptionMetadata subscription) {
            return unlessAway(() -> real.subscriptions().create(stream, subscription));
        }

        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> read(StreamMetadata stream, String id) {
            return unlessAway(() -> real.subscriptions().read(stream, id));
        }

        @Override
        public CompletableFuture<Versioned<SubscriptionMetadata>> replace(
                StreamMetadata stream, SubscriptionMetadata subscription, long version) {
            if (isNextReplacementUnknown) {
                isNextReplacementUnknown = false;
                return real.subscriptions()
                        .replace(stream, subscription, version)
                        .thenCompose(done -> failed(Code.OUTCOME_UNKNOWN));
            }
            return unlessAway(() -> real.subscriptions().replace(stream, subscription, version));
        }

        @Override
        public CompletableFuture<Void> delete(StreamMetadata stream, String id) {
            return subscriptionDeletion.thenCompose(
                    released -> unlessAway(() -> real.subscriptions().delete(stream, id)));
        }

        @Override
        public CompletableFuture<Page<String>> list(StreamMetadata stream, String afterId, int countMax) {
            return subscriptionListing.thenCompose(
                    released -> unlessAway(() -> real.subscriptions().list(stream, afterId, countMax)));
        }
    }
}
