// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.scrub;

import io.daybook.bookie.cleanup.CleanupParts;
import io.daybook.bookie.disk.Throttle;
import io.daybook.bookie.entrylog.EntryLogFormat;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Invariants;
import io.daybook.runtime.Timer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for damage, round after round: every log that counts is read from end to end, slowly, and its index file is held against it. What is damaged is
 * told once in the log of the bookie and kept in {@link ScrubNotes} until it is not there any more. Reads are not involved: they check what they read by
 * themselves, and are answered alike before and after.
 *
 * <p><i>States:</i> waiting → checking a log, then the next → waiting; stopped. A round goes on where it was after a restart; a log that was checked in
 * part is checked again.
 *
 * <p><i>Invariants:</i> a log that is damaged but does not count any more when its check ends is no damage.
 *
 * <p><i>Threading:</i> the core loop; files on the work loop, which is that of cleanup: no log is removed while it is read there.
 */
public final class Scrub {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

    /** Notes of progress alone are written this often at most. */
    private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final CleanupParts parts;
    private final ScrubConfig config;
    private final Throttle throttle;
    private ScrubNotes notes = ScrubNotes.none();
    private volatile List<Damage> damages = List.of();
    private int lastOfRound;
    private long notedNanos;
    private boolean stopped;
    private Timer timer = () -> {};

    /** Used on the work loop only, like {@link #memory}. */
    private @Nullable LogCheck check;

    private @Nullable ByteBuffer memory;

    /** Over the parts of one bookie; nothing is read before {@link #start}. */
    public Scrub(CleanupParts parts, ScrubConfig config) {
        this.parts = parts;
        this.config = config;
        this.throttle = new Throttle(Math.max(1, config.bytesPerSecondMax()));
    }

    /** Begins to make rounds, unless the setting says not to. */
    public void start() {
        if (config.isOn()) {
            onWork(() -> {
                ScrubNotes read = ScrubNotes.read(parts.data().first());
                onCore(() -> goOn(read));
            });
        }
    }

    /** What is known to be damaged. From any thread. */
    public List<Damage> damages() {
        return damages;
    }

    /** How far the search is and what it knows. */
    public ScrubNotes notes() {
        return notes;
    }

    private void goOn(ScrubNotes read) {
        notes = read;
        damages = read.damages();
        long sinceMillis = Math.max(0, parts.core().wallMillis() - read.endedMillis());
        long leftMillis = config.interval().toMillis() - sinceMillis;
        if (read.isUnderWay()) {
            lastOfRound = newest();
            next();
        } else {
            await(TimeUnit.MILLISECONDS.toNanos(Math.max(0, leftMillis)));
        }
    }

    private void await(long nanos) {
        timer = parts.core().schedule(nanos, this::round);
    }

    private void round() {
        notes = notes.begun(parts.core().wallMillis());
        lastOfRound = newest();
        next();
    }

    private int newest() {
        List<Integer> ids = parts.table().logs().ids();
        return ids.isEmpty() ? ScrubNotes.NO_LOG : ids.get(ids.size() - 1);
    }

    private void next() {
        for (int logId : parts.table().logs().ids()) {
            if (logId > notes.lastLogId() && logId <= lastOfRound) {
                onWork(() -> begin(logId));
                return;
            }
        }
        roundEnded();
    }

    private void roundEnded() {
        TreeSet<Integer> present = new TreeSet<>(parts.table().logs().ids());
        List<Damage> left = new ArrayList<>(notes.damages());
        left.removeIf(damage -> !present.contains(damage.logId()));
        notes = notes.ended(parts.core().wallMillis(), left);
        damages = notes.damages();
        LOG.info(
                "bookie={} logs={} bytes={} damages={} state=SCRUBBED",
                parts.bookieId(),
                notes.logs(),
                notes.bytes(),
                damages.size());
        note(true, () -> await(config.interval().toNanos()));
    }

    // ---- on the work loop ----

    private void begin(int logId) {
        ByteBuffer window = memory == null ? LogCheck.newMemory() : memory;
        memory = window;
        check = new LogCheck(parts.data(), logId, parts.bookieId(), window);
        step();
    }

    private void step() {
        LogCheck current = check;
        if (current == null) {
            return;
        }
        long before = current.bytes();
        boolean isDone = current.checkSome();
        long delayNanos =
                throttle.delayNanos(current.bytes() - before, parts.work().nanoTime());
        if (isDone) {
            check = null;
            parts.work().schedule(delayNanos, () -> onCore(() -> checked(current.findings(), current.bytes())));
        } else {
            parts.work().schedule(delayNanos, () -> guarded(this::step));
        }
    }

    // ---- on the core loop ----

    private void checked(Findings findings, long bytes) {
        if (findings.isSound()) {
            checked(findings, bytes, List.of());
        } else {
            findings.damages(parts.table(), found -> onCore(() -> checked(findings, bytes, found)));
        }
    }

    private void checked(Findings findings, long bytes, List<Damage> found) {
        int logId = findings.logId();
        boolean counts = parts.table().logs().ids().contains(logId);
        List<Damage> now = counts ? found : List.of();
        List<Damage> before = notes.damages();
        List<Damage> known = new ArrayList<>(before);
        known.removeIf(damage -> damage.logId() == logId);
        known.addAll(now);
        if (!before.containsAll(now)) {
            tell(findings, now);
        }
        notes = notes.checked(logId, bytes, known);
        damages = notes.damages();
        note(!before.equals(notes.damages()), this::next);
    }

    private void tell(Findings findings, List<Damage> found) {
        long entries = found.stream().mapToLong(Damage::count).sum();
        String which = found.stream()
                .filter(damage -> damage.count() > 0)
                .limit(3)
                .map(damage -> damage.ledgerId() + ":" + damage.firstEntryId() + "+" + damage.count())
                .reduce((one, other) -> one + ',' + other)
                .orElse("none");
        LOG.error(
                "bookie={} file={} position={} entries={} which={} state=DAMAGED {}",
                parts.bookieId(),
                EntryLogFormat.name(findings.logId()),
                findings.damagedAt(),
                entries,
                which,
                findings.reason());
    }

    /** Writes the notes, if that is due; {@code then} follows whether it works or not. */
    private void note(boolean isNews, Runnable then) {
        long now = parts.core().nanoTime();
        if (!isNews && now - notedNanos < NOTE_NANOS) {
            then.run();
            return;
        }
        notedNanos = now;
        ScrubNotes written = notes;
        onWork(() -> {
            try {
                written.write(parts.data().first());
            } catch (DiskException failure) {
                LOG.warn(
                        "bookie={} file={} state=NOT_NOTED {}",
                        parts.bookieId(),
                        ScrubNotes.NAME,
                        failure.getMessage());
            }
            onCore(then);
        });
    }

    // ---- loops ----

    private void onWork(Runnable task) {
        if (!stopped) {
            parts.work().execute(() -> guarded(task));
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (DiskException failure) {
            LOG.warn("bookie={} state=SCRUB_WAITS {}", parts.bookieId(), failure.getMessage());
            onCore(() -> await(config.interval().toNanos()));
        } catch (Invariants.InvariantViolation violation) {
            onCore(() -> parts.fatal().accept(String.valueOf(violation.getMessage())));
        }
    }

    private void onCore(Runnable task) {
        parts.core().execute(() -> {
            if (!stopped) {
                task.run();
            }
        });
    }

    /** Ends whatever is under way; {@code then} follows on the core loop when no file is held any more. */
    public void stop(Runnable then) {
        stopped = true;
        timer.cancel();
        parts.work().execute(() -> {
            LogCheck current = check;
            check = null;
            if (current != null) {
                current.close();
            }
            parts.core().execute(then);
        });
    }
}
