// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.LockStore;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LockFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Locks, in memory. A lock belongs to the stores through which it was taken. */
final class MemoryLockStore implements LockStore {
    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;

    MemoryLockStore(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    @Override
    public CompletableFuture<Attempt> tryAcquire(String name, Owner owner) {
        byte[] value = LockFormat.encode(name, owner);
        CompletableFuture<Attempt> attempt = stores.call(() -> {
            MemoryMetadata.@Nullable Live present = metadata.locks.get(name);
            return present == null
                    ? new Attempt.Taken(take(name, owner, value))
                    : new Attempt.Refused(decode(name, present.value()));
        });
        if (!attempt.isCompletedExceptionally()
                && attempt.join() instanceof Attempt.Taken taken
                && taken.hold() instanceof MemoryHold hold) {
            hold.watch();
        }
        return attempt;
    }

    @Override
    public CompletableFuture<Hold> seize(String name, Owner owner) {
        byte[] value = LockFormat.encode(name, owner);
        CompletableFuture<Hold> seized = stores.call(() -> take(name, owner, value));
        if (!seized.isCompletedExceptionally() && seized.join() instanceof MemoryHold hold) {
            hold.watch();
        }
        return seized;
    }

    private MemoryHold take(String name, Owner owner, byte[] value) {
        metadata.locks.put(name, new MemoryMetadata.Live(value, stores));
        metadata.changed(topic(name));
        return new MemoryHold(name, owner);
    }

    private static Owner decode(String name, byte[] value) {
        return LockFormat.decode(value, "lock '" + name + "'");
    }

    @Override
    public CompletableFuture<Optional<Owner>> holder(String name) {
        LockFormat.checkName(name);
        return stores.call(() -> present(name));
    }

    private Optional<Owner> present(String name) {
        return Optional.ofNullable(metadata.locks.get(name)).map(live -> decode(name, live.value()));
    }

    @Override
    public Watch watch(String name, Runnable listener) {
        return stores.watch(topic(name), listener);
    }

    private static String topic(String name) {
        return "lock " + name;
    }

    /** Ends all holds of these stores; called when they close, or lose them. */
    void endAll() {
        metadata.locks.entrySet().removeIf(entry -> {
            boolean isOwn = entry.getValue().owner() == stores;
            if (isOwn) {
                metadata.changed(topic(entry.getKey()));
            }
            return isOwn;
        });
    }

    /** One lock that was taken. */
    private final class MemoryHold implements Hold {
        private final String name;
        private final Owner owner;
        private final CompletableFuture<Void> lost = new CompletableFuture<>();
        private volatile boolean isReleased;
        private volatile Watch watch = () -> {};

        MemoryHold(String name, Owner owner) {
            this.name = name;
            this.owner = owner;
        }

        void watch() {
            watch = stores.watch(topic(name), this::check);
            check();
        }

        private void check() {
            boolean isGone = metadata.alone(() -> !isReleased && !isOwn());
            if (isGone) {
                watch.close();
                lost.complete(null);
            }
        }

        private boolean isOwn() {
            return present(name)
                    .filter(now -> now.token().equals(owner.token()))
                    .isPresent();
        }

        @Override
        public CompletableFuture<Void> lost() {
            return lost.copy();
        }

        @Override
        public CompletableFuture<Void> release() {
            metadata.alone(() -> {
                if (!isReleased && isOwn()) {
                    metadata.locks.remove(name);
                    metadata.changed(topic(name));
                }
                isReleased = true;
                return true;
            });
            watch.close();
            return CompletableFuture.completedFuture(null);
        }
    }
}
