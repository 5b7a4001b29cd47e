// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A directory on a simulated disk: its durable names, the names that calls see, and the changes that are not durable yet. */
final class StoredDirectory {
    /** One name of a file less, one more, or both (a rename); the empty name stands for none. */
    record NameChange(long sequence, String removed, String added, long fileId) {}

    private final SortedMap<String, Long> durable;
    private final SortedMap<String, Long> current;
    private final List<NameChange> unsynced = new ArrayList<>();

    StoredDirectory() {
        this(new TreeMap<>(), new TreeMap<>());
    }

    private StoredDirectory(SortedMap<String, Long> durable, SortedMap<String, Long> current) {
        this.durable = durable;
        this.current = current;
    }

    StoredDirectory copy() {
        StoredDirectory copy = new StoredDirectory(new TreeMap<>(durable), new TreeMap<>(current));
        copy.unsynced.addAll(unsynced);
        return copy;
    }

    SortedMap<String, Long> current() {
        return current;
    }

    SortedMap<String, Long> durable() {
        return durable;
    }

    List<NameChange> unsynced() {
        return unsynced;
    }

    /** Returns the number of the file that has no name any more, if there is one. */
    @Nullable
    Long change(NameChange change) {
        unsynced.add(change);
        return apply(change, current);
    }

    private static @Nullable Long apply(NameChange change, SortedMap<String, Long> names) {
        names.remove(change.removed, change.fileId);
        return change.added.isEmpty() ? (Long) change.fileId : names.put(change.added, change.fileId);
    }

    void sync() {
        unsynced.forEach(change -> apply(change, durable));
        unsynced.clear();
    }

    StoredDirectory afterCrash(Function<NameChange, Fate> fates) {
        SortedMap<String, Long> left = new TreeMap<>(durable);
        for (NameChange change : unsynced) {
            if (fates.apply(change) != Fate.LOST) {
                apply(change, left);
            }
        }
        return new StoredDirectory(left, new TreeMap<>(left));
    }
}
