// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.disk;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches how much space there is, keeps the reserves, and says when a bookie must not take new entries (S-17, S-26).
 *
 * <p><i>States:</i> {@link Space.Level}. Full below the size of the reserve, or when a write found no space; not full any more only when the reserve is
 * whole again and there is half as much again as its size.
 *
 * <p><i>Threading:</i> the storage loop, but for {@link #makeRoom}; the listener is called on the core loop.
 */
public final class SpaceWatch implements Headroom {
    private static final Logger LOG = LoggerFactory.getLogger(SpaceWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Enough for the copies of the checkpoint. */
    private static final long JOURNAL_RESERVE_BYTES = 64 * 1024;

    /** How much space, in reserves, is said to be low. */
    private static final int LOW_RESERVES = 4;

    private final Disk data;
    private final Reserve reserve;
    private final List<Reserve> reserves;
    private final long roomBytesMin;
    private Space.Level level = Space.Level.ROOMY;
    private Timer timer = () -> {};
    private Runnable tell = () -> {};

    /** Over the data directory and the journal's. */
    public SpaceWatch(Disk data, Disk journal, SpaceConfig config, int slabBytes) {
        this.data = data;
        this.reserve = new Reserve(data, (long) config.reservedSlabs() * slabBytes);
        this.reserves = List.of(reserve, new Reserve(journal, Math.min(reserve.bytes(), JOURNAL_RESERVE_BYTES)));
        this.roomBytesMin = reserve.bytes() + Math.max(reserve.bytes() / 2, slabBytes);
    }

    /** Looks now, without telling anybody. Throws {@link DiskException}. */
    public Space look() {
        long usable = data.usableBytes("");
        if (usable < reserve.bytes()) {
            level = Space.Level.FULL;
        } else if (level == Space.Level.FULL) {
            level = usable >= roomBytesMin && lackingBytes() == 0 ? levelOf(usable) : Space.Level.FULL;
        } else {
            level = levelOf(usable);
        }
        return new Space(level, usable, ReadOnlyFlag.isSet(data));
    }

    private Space.Level levelOf(long usable) {
        return usable < LOW_RESERVES * reserve.bytes() ? Space.Level.LOW : Space.Level.ROOMY;
    }

    /** Looks again and again, and tells {@code listener} on {@code core} each time. */
    public void start(EventLoop storage, EventLoop core, Consumer<Space> listener) {
        tell = () -> {
            try {
                Space space = look();
                core.execute(() -> listener.accept(space));
            } catch (DiskException failure) {
                LOG.warn("path={} state=UNMEASURED reason={}", data, failure.getMessage());
            }
        };
        again(storage, 0);
    }

    private void again(EventLoop storage, long delayNanos) {
        timer = storage.schedule(delayNanos, () -> {
            boolean isBusy = keepReserves();
            if (!isBusy) {
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
        try {
            boolean isRoomy = data.usableBytes("") >= lackingBytes() + roomBytesMin;
            for (Reserve each : reserves) {
                if (isRoomy && each.lackingBytes() > 0 && each.grow()) {
                    return true;
                }
            }
        } catch (DiskException failure) {
            LOG.warn("path={} state=NO_RESERVE reason={}", data, failure.getMessage());
        }
        return false;
    }

    private long lackingBytes() {
        long lacking = 0;
        for (Reserve each : reserves) {
            lacking += each.lackingBytes();
        }
        return lacking;
    }

    /** A write found no space: what was kept back is given up. Whether that gave anything. */
    public boolean foundFull() {
        level = Space.Level.FULL;
        boolean released = releaseReserves();
        tell.run();
        return released;
    }

    private boolean releaseReserves() {
        boolean released = false;
        for (Reserve each : reserves) {
            try {
                released |= each.release();
            } catch (DiskException failure) {
                LOG.warn("path={} the reserve cannot be given up: {}", data, failure.getMessage());
            }
        }
        return released;
    }

    @Override
    public boolean makeRoom(long bytes) {
        return data.usableBytes("") >= bytes || (releaseReserves() && data.usableBytes("") >= bytes);
    }
}
