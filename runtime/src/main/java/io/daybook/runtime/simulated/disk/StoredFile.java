// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.events.SimulatedRandom.Stream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A file on a simulated disk: its durable bytes, the bytes that reads see, and the changes between the two that are not durable yet, in order. */
final class StoredFile {
    private static final int SECTOR_BYTES = 512;

    /** A write, or with {@code isResize} a change of the size to {@code position}. */
    record Change(long sequence, long position, ByteBuffer bytes, boolean isResize) {}

    private final FileBytes durable;
    private final FileBytes current;
    private final List<Change> unsynced = new ArrayList<>();
    private boolean isNamed = true;

    StoredFile() {
        this(new FileBytes(), new FileBytes());
    }

    private StoredFile(FileBytes durable, FileBytes current) {
        this.durable = durable;
        this.current = current;
    }

    StoredFile copy() {
        StoredFile copy = new StoredFile(durable.copy(), current.copy());
        copy.unsynced.addAll(unsynced);
        copy.isNamed = isNamed;
        return copy;
    }

    /** False once it was deleted or replaced: whoever has it open still writes to it. */
    boolean isNamed() {
        return isNamed;
    }

    void loseName() {
        isNamed = false;
    }

    FileBytes current() {
        return current;
    }

    FileBytes durable() {
        return durable;
    }

    List<Change> unsynced() {
        return unsynced;
    }

    void change(Change change) {
        unsynced.add(change);
        apply(change, current);
    }

    private static void apply(Change change, FileBytes target) {
        if (change.isResize) {
            target.resize(change.position);
        } else {
            target.write(change.position, change.bytes);
        }
    }

    /** What was changed up to {@code sequence} is durable now. */
    void persist(long sequence) {
        List<Change> done =
                unsynced.stream().filter(change -> change.sequence <= sequence).toList();
        done.forEach(change -> apply(change, durable));
        unsynced.subList(0, done.size()).clear();
    }

    /**
     * A sync failed: the changes up to {@code sequence} are forgotten as if they were durable, but only some sectors of some of them are, and
     * never all of the newest.
     */
    void forget(long sequence, long seed) {
        List<Change> dropped =
                unsynced.stream().filter(change -> change.sequence <= sequence).toList();
        for (int i = 0; i < dropped.size() - 1; i++) {
            boolean torn = SimulatedRandom.mix(seed, Stream.DISK, 3, i) % 2 == 0;
            apply(dropped.get(i), durable, torn ? Fate.TORN : Fate.LOST, seed);
        }
        unsynced.subList(0, dropped.size()).clear();
    }

    /** What is left of it after a crash. */
    StoredFile afterCrash(Function<Change, Fate> fates, long seed) {
        FileBytes left = durable.copy();
        for (Change change : unsynced) {
            apply(change, left, fates.apply(change), seed);
        }
        return new StoredFile(left, left.copy());
    }

    private static void apply(Change change, FileBytes target, Fate fate, long seed) {
        if (fate == Fate.LOST) {
            return;
        }
        if (fate == Fate.KEPT || change.isResize) {
            apply(change, target);
            return;
        }
        long oldSize = target.size();
        target.resize(Math.max(oldSize, change.position + change.bytes.remaining()));
        if (fate == Fate.TORN) {
            tear(change, target, seed);
        } else if (fate == Fate.GREW_OLD) {
            fillWithOldBytes(target, oldSize, seed);
        }
    }

    /** Applies some of the sectors: at least one is missing. */
    private static void tear(Change change, FileBytes target, long seed) {
        long end = change.position + change.bytes.remaining();
        long firstSector = change.position / SECTOR_BYTES;
        long sectors = (end + SECTOR_BYTES - 1) / SECTOR_BYTES - firstSector;
        long missing = SimulatedRandom.below(
                SimulatedRandom.mix(seed, Stream.CRASH, 4, change.sequence), Math.max(1, sectors));
        for (long i = 0; i < sectors; i++) {
            long from = Math.max(change.position, (firstSector + i) * SECTOR_BYTES);
            long to = Math.min(end, (firstSector + i + 1) * SECTOR_BYTES);
            if (i != missing && SimulatedRandom.mix(seed, Stream.CRASH, change.sequence, i) % 2 == 0) {
                target.write(from, change.bytes.slice((int) (from - change.position), (int) (to - from)));
            }
        }
    }

    private static void fillWithOldBytes(FileBytes target, long from, long seed) {
        ByteBuffer old = ByteBuffer.allocate((int) (target.size() - from));
        for (int i = 0; old.hasRemaining(); i++) {
            old.put((byte) SimulatedRandom.mix(seed, Stream.CRASH, 5, i));
        }
        target.write(from, old.flip());
    }
}
