// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The data directories of one bookie. A log and its index file stand in one of them, whichever had most space when it was begun; where is not written
 * down anywhere but found by looking, so that there is nothing that could be wrong.
 *
 * <p><i>Threading:</i> immutable; what it says of files blocks.
 */
public final class DataDisks {
    private final List<Disk> all;

    /** In the order of the configuration, at least one. */
    public DataDisks(List<Disk> all) {
        if (all.isEmpty()) {
            throw new IllegalArgumentException("a bookie has a data directory");
        }
        this.all = List.copyOf(all);
    }

    /** All of them, in the order of the configuration. */
    public List<Disk> all() {
        return all;
    }

    /** The one that holds the small files about the bookie as a whole, of which there is one copy: {@code damage} and {@code read-only}. */
    public Disk first() {
        return all.get(0);
    }

    /** The one with the largest blocks: what is aligned for it is aligned for all. */
    public Disk coarsest() {
        return Collections.max(all, Comparator.comparingInt(Disk::blockBytes));
    }

    /**
     * The one that holds a file of that name in its root; the first when none does. Throws {@link DiskException} when one of them does not tell and no other
     * holds it.
     */
    public Disk of(String name) {
        return all.size() == 1 ? first() : holder(name).orElseGet(this::first);
    }

    /** The one that holds a file of that name in its root; the one that holds {@code companion} when none does, the first when none holds that either. */
    public Disk of(String name, String companion) {
        return holder(name).orElseGet(() -> of(companion));
    }

    /** Whether one of them holds a file of that name in its root. Throws as {@link #of(String)} does. */
    public boolean exists(String name) {
        return holder(name).isPresent();
    }

    /** One that cannot be asked keeps nobody from what stands in another. */
    private Optional<Disk> holder(String name) {
        DiskException untold = null;
        for (Disk disk : all) {
            try {
                if (disk.exists(name)) {
                    return Optional.of(disk);
                }
            } catch (DiskException failure) {
                untold = failure;
            }
        }
        if (untold != null) {
            throw untold;
        }
        return Optional.empty();
    }

    /** The names in the roots of all, sorted. Throws {@link io.daybook.runtime.DiskException}. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        all.forEach(disk -> names.addAll(disk.list("")));
        Collections.sort(names);
        return names;
    }
}
