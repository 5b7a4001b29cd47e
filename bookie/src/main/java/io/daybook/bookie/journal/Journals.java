// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.EventLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journals of one bookie, each on a device of its own, which commit independently of each other: several on loops of their own, at the same time, so that
 * a device that hangs holds up no other and no read; one alone on the core loop, which saves two hand-offs for each commit. Everything about a ledger goes to one of them, so that
 * its order is the order within a journal; there are no records of anything but ledgers.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Journals {
    private static final Logger LOG = LoggerFactory.getLogger(Journals.class);

    private final EventLoop core;
    private final List<EventLoop> commitLoops = new ArrayList<>();
    private final JournalCount count;
    private final Journal[] all;
    private final List<JournalSegment> segments = new ArrayList<>();
    private int stopping;
    private int closing;

    /** With all segments free; the setups in the order of the journals' numbers. Loops for commits are made by {@code loops} when they are needed. */
    public Journals(EventLoop core, IntFunction<EventLoop> loops, List<JournalSetup> setups, JournalListener listener) {
        this.core = core;
        count = new JournalCount(setups.size());
        all = new Journal[setups.size()];
        for (int number = 0; number < all.length; number++) {
            JournalSetup setup = setups.get(number);
            EventLoop commitLoop = core;
            if (all.length > 1) {
                commitLoop = loops.apply(number);
                commitLoops.add(commitLoop);
            }
            all[number] = new Journal(core, commitLoop, setup, listener);
            segments.addAll(setup.segments());
        }
    }

    /** How many there are. */
    public JournalCount count() {
        return count;
    }

    /** The journal of a ledger. */
    public Journal of(long ledgerId) {
        return all[count.ofLedger(ledgerId)];
    }

    /** The journal that filled a segment. */
    public Journal of(JournalSegment segment) {
        return all[count.ofIncarnation(segment.incarnation())];
    }

    /** The slabs of all. */
    public List<Slab> slabs() {
        return segments.stream().map(JournalSegment::slab).toList();
    }

    /** How full each is, in the order of their numbers. */
    public List<Journal.Fill> fills() {
        return Arrays.stream(all).map(Journal::fill).toList();
    }

    /** Takes a flushed segment back. */
    public void release(JournalSegment segment) {
        of(segment).release(segment);
    }

    /** Seals every active segment whose first record was staged so long ago, where another is free. */
    public void roll(long ageNanos) {
        for (Journal journal : all) {
            if (journal.ageNanos() >= ageNanos) {
                journal.roll();
            }
        }
    }

    /** Stops all as {@link Journal#stop} does one; {@code done} follows when the last is stopped. */
    public void stop(Durable done) {
        stopping = all.length;
        for (Journal journal : all) {
            journal.stop(() -> {
                if (--stopping == 0) {
                    done.durable();
                }
            });
        }
    }

    /** Forgets everything at once; nobody is told anything. */
    public void abort() {
        for (Journal journal : all) {
            journal.abort();
        }
    }

    /** Releases the files and loops once no commit is being written any more; {@code then} follows on the core loop. */
    public void close(Runnable then) {
        closing = commitLoops.size();
        if (closing == 0) {
            closeFiles(then);
        }
        commitLoops.forEach(loop -> loop.execute(() -> core.execute(() -> {
            if (--closing == 0) {
                closeFiles(then);
            }
        })));
    }

    private void closeFiles(Runnable then) {
        for (JournalSegment segment : segments) {
            try {
                segment.close();
            } catch (DiskException unclean) {
                LOG.warn("file={} state=NOT_CLOSED {}", segment.file().path(), unclean.getMessage());
            }
        }
        commitLoops.forEach(EventLoop::close);
        then.run();
    }
}
