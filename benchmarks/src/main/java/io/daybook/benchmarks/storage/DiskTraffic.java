// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.storage;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Bytes that were written to and read from the files of one process, by kind of file. From any thread. */
final class DiskTraffic {
    /** What a file is for. */
    enum Kind {
        JOURNAL,
        ENTRY_LOG,
        INDEX,
        RESERVE,
        OTHER;

        static Kind of(String name) {
            if (name.startsWith("journal-")) {
                return JOURNAL;
            }
            if (name.startsWith("entries-")) {
                return ENTRY_LOG;
            }
            if (name.startsWith("reserve")) {
                return RESERVE;
            }
            return name.startsWith("index-") ? INDEX : OTHER;
        }
    }

    private final Map<Kind, LongAdder> written = new EnumMap<>(Kind.class);
    private final Map<Kind, LongAdder> read = new EnumMap<>(Kind.class);

    DiskTraffic() {
        for (Kind kind : Kind.values()) {
            written.put(kind, new LongAdder());
            read.put(kind, new LongAdder());
        }
    }

    void wrote(Kind kind, long bytes) {
        counter(written, kind).add(bytes);
    }

    void read(Kind kind, long bytes) {
        counter(read, kind).add(bytes);
    }

    private static LongAdder counter(Map<Kind, LongAdder> counters, Kind kind) {
        return Objects.requireNonNull(counters.get(kind));
    }

    long written(Kind kind) {
        return counter(written, kind).sum();
    }

    long written() {
        return written.values().stream().mapToLong(LongAdder::sum).sum();
    }

    long read() {
        return read.values().stream().mapToLong(LongAdder::sum).sum();
    }
}
