// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ledgers of a cluster in memory, as all clients of it see them: what the bookies hold, how far it is confirmed, who is fenced. Entries are stored, then
 * acknowledged, and only later known to be confirmed, as with real bookies.
 *
 * <p><i>Threading:</i> any thread; each call runs under the object's monitor.
 */
final class MemoryLedgers {
    /** One ledger. */
    final class Ledger {
        private final long id;
        private final CreateOptions options;
        private final List<byte[]> entries = new ArrayList<>();
        private final Set<Long> damaged = new TreeSet<>();
        private final List<Runnable> waiting = new ArrayList<>();
        private long confirmed = -1;
        private boolean fenced;
        private boolean deleted;
        private LedgerState state = LedgerState.OPEN;

        private Ledger(long id, CreateOptions options) {
            this.id = id;
            this.options = options;
        }

        long id() {
            return id;
        }

        /** Stores an entry that carries the writer's last add confirmed. */
        void store(byte[] entry, long writersConfirmed) {
            List<Runnable> told;
            synchronized (MemoryLedgers.this) {
                requireExists(Outcome.UNKNOWN);
                if (fenced || state != LedgerState.OPEN) {
                    throw new LedgerException.Fenced("ledger " + id + " is fenced", Outcome.UNKNOWN);
                }
                entries.add(entry);
                confirmed = Math.max(confirmed, Math.min(writersConfirmed, newsMax));
                told = wake();
            }
            told.forEach(Runnable::run);
        }

        /** Tells the bookies how far the ledger is confirmed. */
        void publish(long writersConfirmed) {
            List<Runnable> told;
            synchronized (MemoryLedgers.this) {
                if (state == LedgerState.OPEN && !fenced) {
                    confirmed = Math.max(confirmed, Math.min(writersConfirmed, newsMax));
                }
                told = wake();
            }
            told.forEach(Runnable::run);
        }

        /** Closes it at an end, by its writer. */
        void close(long end) {
            List<Runnable> told;
            synchronized (MemoryLedgers.this) {
                requireExists(Outcome.FAILED);
                if (fenced || state != LedgerState.OPEN) {
                    throw new LedgerException.Fenced("ledger " + id + " was recovered by another", Outcome.FAILED);
                }
                endAt(end);
                told = wake();
            }
            told.forEach(Runnable::run);
        }

        /** Stops its writer without deciding the end. */
        void fence() {
            synchronized (MemoryLedgers.this) {
                requireExists(Outcome.FAILED);
                if (failingFences) {
                    throw new LedgerException.NotEnoughBookies("too few bookies answer to be fenced", Outcome.UNKNOWN);
                }
                fenced = true;
            }
        }

        /** Fences it and closes it behind the last entry that is stored. */
        void recover() {
            List<Runnable> told;
            synchronized (MemoryLedgers.this) {
                requireExists(Outcome.FAILED);
                fenced = true;
                if (state != LedgerState.CLOSED) {
                    endAt(entries.size() - 1);
                }
                told = wake();
            }
            told.forEach(Runnable::run);
        }

        private void endAt(long end) {
            state = LedgerState.CLOSED;
            confirmed = end;
        }

        private List<Runnable> wake() {
            List<Runnable> told = List.copyOf(waiting);
            waiting.clear();
            return told;
        }

        void onChange(Runnable listener) {
            synchronized (MemoryLedgers.this) {
                waiting.add(listener);
            }
        }

        void requireExists(Outcome outcome) {
            synchronized (MemoryLedgers.this) {
                if (deleted) {
                    throw new LedgerException.LedgerGone("ledger " + id + " does not exist", outcome);
                }
            }
        }

        long confirmed() {
            synchronized (MemoryLedgers.this) {
                return confirmed;
            }
        }

        /** Entries from one on up to another, fewer when the bytes are too many or one is damaged. */
        List<byte[]> read(long first, long last, int countMax, int bytesMax) {
            synchronized (MemoryLedgers.this) {
                requireExists(Outcome.FAILED);
                if (failingReads > 0) {
                    failingReads--;
                    throw new LedgerException.EntryUnreadable("entry " + first + " of ledger " + id + ": no answer");
                }
                if (damaged.contains(first)) {
                    throw new LedgerException.EntryCorrupt("entry " + first + " of ledger " + id + " is damaged");
                }
                List<byte[]> found = new ArrayList<>();
                long bytes = 0;
                for (long id = first; id <= Math.min(last, entries.size() - 1); id++) {
                    byte[] entry = entries.get((int) id);
                    bytes += entry.length;
                    if (found.size() == countMax || (!found.isEmpty() && bytes > bytesMax) || damaged.contains(id)) {
                        break;
                    }
                    found.add(entry);
                }
                return found;
            }
        }

        LedgerMetadata metadata() {
            synchronized (MemoryLedgers.this) {
                List<BookieId> ensemble = new ArrayList<>();
                for (int i = 0; i < options.quorums().ensembleSize(); i++) {
                    ensemble.add(new BookieId(0, i));
                }
                boolean isClosed = state == LedgerState.CLOSED;
                long length = 0;
                for (int i = 0; isClosed && i <= confirmed; i++) {
                    length += entries.get(i).length;
                }
                return new LedgerMetadata(
                        id,
                        options.quorums(),
                        options.digest(),
                        state,
                        isClosed ? confirmed : -1,
                        length,
                        List.of(new Fragment(0, ensemble)),
                        options.custom(),
                        0,
                        WriteToken.NONE);
            }
        }

        boolean takesWaitInVain() {
            synchronized (MemoryLedgers.this) {
                if (vainWaits == 0) {
                    return false;
                }
                vainWaits--;
                return true;
            }
        }

        /** Throws when too few bookies answer to say how far the ledger is confirmed. */
        void requireEnoughAnswers() {
            synchronized (MemoryLedgers.this) {
                if (isBroken) {
                    throw new LedgerException.Bug(
                            "no bookie can be asked", Outcome.FAILED, new IllegalStateException());
                }
                if (fewAnswer) {
                    throw new LedgerException.NotEnoughBookies("too few bookies answer", Outcome.FAILED);
                }
            }
        }

        /** Every copy of the entry is damaged from now on. */
        void damage(long entryId) {
            synchronized (MemoryLedgers.this) {
                damaged.add(entryId);
            }
        }
    }

    private final Map<Long, Ledger> ledgers = new TreeMap<>();
    private long nextId;
    private int failingReads;
    private boolean failingOpens;
    private int vainWaits;
    private long newsMax = Long.MAX_VALUE;
    private boolean refusesCreation;
    private boolean fewAnswer;
    private boolean isBroken;
    private boolean failingFences;
    private boolean keepsDeleted;

    synchronized Ledger create(CreateOptions options) {
        if (refusesCreation) {
            throw new LedgerException.NotEnoughBookies("too few bookies take entries", Outcome.FAILED);
        }
        Ledger ledger = new Ledger(nextId++, options);
        ledgers.put(ledger.id, ledger);
        return ledger;
    }

    synchronized Ledger ledger(long id) {
        Ledger ledger = ledgers.get(id);
        if (ledger == null) {
            throw new LedgerException.LedgerGone("ledger " + id + " does not exist", Outcome.FAILED);
        }
        return ledger;
    }

    /** A ledger that is opened with a key. */
    synchronized Ledger opened(long id, DigestKey key) {
        Ledger ledger = ledger(id);
        if (failingOpens) {
            throw new LedgerException.MetadataFailed(
                    "ledger " + id + ": no answer", Outcome.FAILED, true, new IllegalStateException());
        }
        if (ledger.options.digest() != DigestType.CRC32C
                && !Arrays.equals(ledger.options.digestKey().copyOfBytes(), key.copyOfBytes())) {
            throw new LedgerException.WrongKey("ledger " + id + " has another key");
        }
        return ledger;
    }

    void delete(long id) {
        List<Runnable> told = List.of();
        synchronized (this) {
            Ledger ledger = ledgers.remove(id);
            if (ledger != null) {
                ledger.deleted = !keepsDeleted;
                told = ledger.wake();
            }
        }
        told.forEach(Runnable::run);
    }

    synchronized List<Long> ids() {
        return List.copyOf(ledgers.keySet());
    }

    /** The next reads fail as if no bookie answered. */
    synchronized void failReads(int count) {
        failingReads = count;
    }

    /** Whether no ledger can be opened. */
    synchronized void failOpens(boolean fail) {
        failingOpens = fail;
    }

    /** The next tail reads come back with nothing, as if their wait had ended, whatever is there. */
    synchronized void waitInVain(int count) {
        vainWaits = count;
    }

    /** The bookies learn of no confirmed entry above that one, until this is called again. */
    synchronized void newsUpTo(long entryId) {
        newsMax = entryId;
    }

    /** Whether entries can be read but too few bookies answer to say how far a ledger is confirmed. */
    synchronized void fewAnswer(boolean few) {
        fewAnswer = few;
    }

    /** Whether it is a bug that keeps everybody from telling how far a ledger is confirmed. */
    synchronized void breakConfirmed(boolean isBug) {
        isBroken = isBug;
    }

    /** Whether too few bookies answer who fences a ledger without recovering it. */
    synchronized void failFences(boolean fail) {
        failingFences = fail;
    }

    /** Whether bookies go on with ledgers that are deleted, as they do until they look at the metadata. */
    synchronized void keepDeleted(boolean keep) {
        keepsDeleted = keep;
    }

    /** Whether ledgers can be made. */
    synchronized void refuseCreation(boolean refuse) {
        refusesCreation = refuse;
    }
}
