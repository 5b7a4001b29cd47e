// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values of one cluster in memory, shared by all {@link MemoryMetadataStores} made on it. Values are kept encoded, as every store keeps them.
 *
 * <p><i>Threading:</i> any thread; each call runs whole under the object's one monitor, and notices are given after it, by the thread that changed
 * something. Nothing waits for anything else, so it takes part in a simulation.
 */
public final class MemoryMetadata {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryMetadata.class);

    final TreeMap<BookieId, byte[]> cookies = new TreeMap<>();
    final TreeMap<BookieId, Live> live = new TreeMap<>();
    final TreeMap<Long, Stored> ledgers = new TreeMap<>();
    final TreeSet<Long> deletedLedgerIds = new TreeSet<>();
    final TreeMap<String, Stream> streams = new TreeMap<>(StreamNames.ORDER);
    final TreeMap<Integer, Long> nextOrigins = new TreeMap<>();
    final TreeMap<String, Live> locks = new TreeMap<>();
    /** By the identity of their stream. */
    final Map<WriteToken, TreeMap<String, Stored>> subscriptions = new LinkedHashMap<>();
    /** Names by the identity of their stream. */
    final Map<WriteToken, String> homes = new LinkedHashMap<>();

    Optional<byte[]> cluster = Optional.empty();
    long nextLedgerId;

    private final List<MemoryWatch> watches = new ArrayList<>();
    private List<Runnable> notices = new ArrayList<>();
    private long lastVersion;

    /** A value and its version. */
    static final class Stored {
        private final byte[] value;
        private final long version;

        Stored(byte[] value, long version) {
            this.value = value;
            this.version = version;
        }

        byte[] value() {
            return value;
        }

        long version() {
            return version;
        }
    }

    /** A registration or a lock, and who keeps it alive. */
    static final class Live {
        private final byte[] value;
        private final Object owner;

        Live(byte[] value, Object owner) {
            this.value = value;
            this.owner = owner;
        }

        byte[] value() {
            return value;
        }

        Object owner() {
            return owner;
        }
    }

    /** A head and its segments. */
    record Stream(Stored head, NavigableMap<Long, byte[]> segments) {}

    /** Runs {@code call} alone, then gives the notices that it caused. */
    <T> T alone(Supplier<T> call) {
        List<Runnable> caused;
        T result;
        synchronized (this) {
            result = call.get();
            caused = notices;
            notices = new ArrayList<>();
        }
        caused.forEach(MemoryMetadata::give);
        return result;
    }

    private static void give(Runnable notice) {
        try {
            notice.run();
        } catch (RuntimeException failure) {
            // The change is made; whose listener fails is not the business of whoever made it.
            LOG.warn("a listener for metadata changes failed", failure);
        }
    }

    /** A version above all before it, over all values, so that a value made anew never has a version of its predecessor. */
    long nextVersion() {
        return ++lastVersion;
    }

    /** Remembers to tell the watches of {@code topic}. */
    void changed(String topic) {
        for (MemoryWatch watch : watches) {
            if (watch.topic().equals(topic)) {
                notices.add(watch.listener());
            }
        }
    }

    void add(MemoryWatch watch) {
        watches.add(watch);
    }

    void remove(MemoryWatch watch) {
        watches.remove(watch);
    }

    void removeWatchesOf(Object owner) {
        watches.removeIf(present -> present.owner() == owner);
    }

    /** Throws {@link MetadataException} of {@code code} unless {@code condition} holds. */
    static void require(boolean condition, MetadataException.Code code, String message) {
        if (!condition) {
            throw new MetadataException(code, message);
        }
    }
}
