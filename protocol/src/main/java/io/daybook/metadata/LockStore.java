// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import io.daybook.metadata.model.WriteToken;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Locks by name that keep programs out of each other's way: each is held by one holder, also within one process, until it is given back or the holder's session ends.
 *
 * <p>A lock is good manners and no proof (M5): a holder whose session has ended may not know it yet. What must not be done twice is fenced by compare-and-set as well.
 */
public interface LockStore {
    /** UTF-8 bytes of the longest name. */
    int NAME_BYTES_MAX = 600;

    /**
     * Takes the lock if it is free. {@code owner}'s token must be fresh: it tells this hold from every other, also from that of an earlier attempt of the same holder, which is
     * withdrawn later when its outcome is unknown.
     */
    CompletableFuture<Attempt> tryAcquire(String name, Owner owner);

    /** Takes the lock whoever holds it, with a fresh token as well; the holder before is told by {@link Hold#lost}. */
    CompletableFuture<Hold> seize(String name, Owner owner);

    /** Who holds the lock. */
    CompletableFuture<Optional<Owner>> holder(String name);

    /** Tells {@code listener}, on a thread of the store, when the lock may have changed hands or become free. */
    Watch watch(String name, Runnable listener);

    /**
     * Who holds a lock, for people, and since when.
     *
     * @param host name of the machine; empty when {@code label} tells enough
     * @param processId number of the process there
     * @param label what the program calls itself; may be empty
     * @param sinceMillis wall-clock time at which it asked for the lock
     * @param token random bits of this hold
     */
    record Owner(String host, long processId, String label, long sinceMillis, WriteToken token) {
        /** The same holder at another attempt. */
        public Owner withToken(WriteToken fresh) {
            return new Owner(host, processId, label, sinceMillis, fresh);
        }

        /** As it is shown, such as {@code ingest (process 4711 on db-3)}. */
        public String shown() {
            if (host.isEmpty()) {
                return label;
            }
            String process = "process " + processId + " on " + host;
            return label.isEmpty() ? process : label + " (" + process + ")";
        }
    }

    /** What came of {@link #tryAcquire}. */
    sealed interface Attempt {
        /** The lock is the caller's. */
        record Taken(Hold hold) implements Attempt {}

        /** Somebody holds it. */
        record Refused(Owner holder) implements Attempt {}
    }

    /** A lock that was taken. */
    interface Hold {
        /**
         * Completes, on a thread of the store, when the lock is found to be free or another's though it was not given back: the session ended, or somebody seized it. May
         * be late; never completes after {@link #release} or the end of the stores.
         */
        CompletableFuture<Void> lost();

        /** Gives the lock back, if it is still this holder's. Idempotent. */
        CompletableFuture<Void> release();
    }
}
