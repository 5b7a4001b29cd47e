// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how much space there is, keeps the reserves, says where the next log goes and when a bookie must not take new entries (S-17, S-18, S-26).
 *
 * <p><i>States:</i> of each data directory, see {@link DirectorySpace}. One that is full gets no new log while another is not; the bookie takes no new
 * entries when all are full.
 *
 * <p><i>Threading:</i> the storage loop, but for {@link #makeRoom}; the listener is called on the core loop.
 */
public final class SpaceWatch implements Headroom {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Enough for the copies of the checkpoint. */
    private static final long JOURNAL_RESERVE_BYTES = 64 * 1024;

    private final DataDisks data;
    private final List<Disk> journals;
    private final List<DirectorySpace> directories = new ArrayList<>();
    private final List<Reserve> journalReserves = new ArrayList<>();
    private Timer timer = () -> {};
    private boolean forcedReadOnly = true;
    private Runnable tell = () -> {};

    /** Over the data directories and those of the journals. */
    public SpaceWatch(DataDisks data, List<Disk> journals, SpaceConfig config, int slabBytes) {
        this.data = data;
        this.journals = List.copyOf(journals);
        data.all().forEach(disk -> directories.add(new DirectorySpace(disk, config, slabBytes)));
        long bytes = directories.get(0).reserve().bytes();
        journals.forEach(disk -> journalReserves.add(new Reserve(disk, Math.min(bytes, JOURNAL_RESERVE_BYTES))));
    }

    /** Looks now, without telling anybody. What cannot be found out keeps nothing else from being told. */
    public Space look() {
        boolean areJournalsWhole = journalReserves.stream().allMatch(Reserve::isWhole);
        Space.Level level = Space.Level.FULL;
        long usable = 0;
        long unusable = 0;
        int full = 0;
        List<Space.Device> devices = new ArrayList<>();
        for (DirectorySpace directory : directories) {
            long bytes = directory.usableBytes();
            directory.decide(bytes, areJournalsWhole);
            devices.add(new Space.Device(directory.level(), bytes, directory.totalBytes()));
            if (directory.level() == Space.Level.FULL) {
                full++;
                unusable += Math.max(0, bytes);
            } else {
                usable += bytes;
            }
            level = directory.level().compareTo(level) < 0 ? directory.level() : level;
        }
        boolean isNone = full == directories.size();
        return new Space(
                level,
                isNone ? unusable : usable,
                full,
                isForcedReadOnly(),
                devices,
                journals.stream().map(Space.Device::of).toList());
    }

    /** Whether an operator wants it; as it was while that cannot be read, and yes as long as it never could. */
    private boolean isForcedReadOnly() {
        try {
            forcedReadOnly = ReadOnlyFlag.isSet(data.first());
        } catch (DiskException failure) {
            LOG.debug("path={} state=UNMEASURED reason={}", data.first(), failure.getMessage());
        }
        return forcedReadOnly;
    }

    /** Bytes that are kept back in each data directory, once in a file and once free. From any thread. */
    public long reservedBytes() {
        return directories.get(0).reserve().bytes();
    }

    /**
     * Where the next log goes: the directory with most space of those that are not full, of all when there is no other. A directory whose state cannot be
     * found out counts as it did before.
     */
    public Disk roomiest() {
        if (directories.size() == 1) {
            return data.first();
        }
        look();
        boolean isAnyWritable = directories.stream().anyMatch(SpaceWatch::isWritable);
        return directories.stream()
                .filter(directory -> !isAnyWritable || isWritable(directory))
                .max(Comparator.comparingLong(DirectorySpace::usableBytes))
                .map(DirectorySpace::disk)
                .orElseGet(data::first);
    }

    private static boolean isWritable(DirectorySpace directory) {
        return directory.level() != Space.Level.FULL;
    }

    /** Looks again and again, and tells {@code listener} on {@code core} each time. */
    public void start(EventLoop storage, EventLoop core, Consumer<Space> listener) {
        tell = () -> {
            Space space = look();
            core.execute(() -> listener.accept(space));
        };
        storage.execute(this::cutReserves);
        again(storage, 0);
    }

    /** They may have been meant to be larger in an earlier life. */
    private void cutReserves() {
        List<Reserve> reserves = new ArrayList<>(journalReserves);
        directories.forEach(directory -> reserves.add(directory.reserve()));
        for (Reserve reserve : reserves) {
            try {
                reserve.cut();
            } catch (DiskException failure) {
                LOG.warn("file={} state=LEFT it is larger than it needs to be: {}", Reserve.NAME, failure.getMessage());
            }
        }
    }

    private void again(EventLoop storage, long delayNanos) {
        timer = storage.schedule(delayNanos, () -> {
            boolean isBusy = keepReserves();
            if (!isBusy) {
                directories.forEach(DirectorySpace::mayTryAgain);
                tell.run();
            }
            again(storage, isBusy ? 0 : INTERVAL_NANOS);
        });
    }

    /** Looks at once and tells. */
    public void lookAgain() {
        tell.run();
    }

    /** Ends. */
    public void stop() {
        timer.cancel();
        tell = () -> {};
    }

    /** Makes reserves larger when there is room for that; whether more is to be done. */
    private boolean keepReserves() {
        for (DirectorySpace directory : directories) {
            try {
                // The journals may stand on the same device.
                long lacking = directory.reserve().lackingBytes() + lackingOfJournals();
                if (lacking > 0
                        && directory.isRoomy(lacking)
                        && (directory.reserve().grow() || growOfJournals())) {
                    return true;
                }
            } catch (DiskException failure) {
                LOG.warn("path={} state=NO_RESERVE reason={}", directory.disk(), failure.getMessage());
            }
        }
        return false;
    }

    private long lackingOfJournals() {
        return journalReserves.stream().mapToLong(Reserve::lackingBytes).sum();
    }

    private boolean growOfJournals() {
        return journalReserves.stream().anyMatch(Reserve::grow);
    }

    /**
     * A write found no space: what was kept back there is given up, and all that is when no directory is left that takes entries.
     *
     * @param where the data directory to which it was written; null when that was another one, or is not known
     * @return whether it is worth to try again at once
     */
    public boolean foundFull(@Nullable Disk where) {
        boolean isWorthIt = false;
        for (DirectorySpace directory : directories) {
            if (where == null || directory.disk().equals(where)) {
                directory.foundFull();
                isWorthIt |= directory.release();
            }
        }
        if (directories.stream().anyMatch(SpaceWatch::isWritable)) {
            isWorthIt = true;
        } else {
            isWorthIt |= releaseReserves();
        }
        tell.run();
        return isWorthIt;
    }

    private boolean releaseReserves() {
        boolean released = false;
        for (DirectorySpace directory : directories) {
            released |= directory.release();
        }
        for (int i = 0; i < journalReserves.size(); i++) {
            released |= DirectorySpace.release(journalReserves.get(i), journals.get(i));
        }
        return released;
    }

    @Override
    public Room makeRoom(long bytes, List<Disk> refusing) {
        boolean isOther = directories.stream().anyMatch(directory -> !refusing.contains(directory.disk()));
        List<Disk> passedOver = isOther ? refusing : List.of();
        Room room = room(bytes, passedOver);
        return room.isEnough() || !releaseReserves() ? room : room(bytes, passedOver);
    }

    private Room room(long bytes, List<Disk> passedOver) {
        Disk best = data.first();
        long most = -1;
        for (DirectorySpace directory : directories) {
            long usable = directory.usableBytes();
            if (usable > most && !passedOver.contains(directory.disk())) {
                best = directory.disk();
                most = usable;
            }
        }
        return new Room(best, most >= bytes);
    }
}
