// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.cache.Slab;
import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.index.ColdRead;
import io.daybook.bookie.journal.Journals;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Faults;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers reads: from the slabs here, from flushed files through {@link ColdReads}, or later when the entry arrives.
 *
 * <p><i>Invariants:</i> only durable entries and a durable last add confirmed are told; B6: absence is told only for what neither slabs nor index
 * hold, and only while the table is sound; every read is answered once or its link is gone.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Reads {
    private static final int WAIT_MILLIS_MAX = 60_000;

    /** What an answer from flushed files reserves at least for entries, and what is allocated for it at most before they are read. */
    private static final int COLD_BYTES_MIN = 4 * 1024;

    private static final int COLD_BYTES_FIRST = 256 * 1024;

    /** Reads of all links that wait for an entry; beyond it the answer is BUSY. */
    static final int WAITERS_MAX = 200_000;

    private final EventLoop loop;
    private final LedgerTable table;
    private final Journals journals;
    private final SlabCache cache;
    private final ColdReads coldReads;
    private final Appends appends;
    private final List<Ledger> woken = new ArrayList<>();
    private final boolean deniesUnreadable;
    private int waiterCount;

    /** Over the sources of one core loop. */
    public Reads(EventLoop loop, LedgerSources sources, Appends appends, Faults faults) {
        this.loop = loop;
        this.table = sources.table();
        this.journals = sources.journals();
        this.cache = sources.cache();
        this.coldReads = sources.coldReads();
        this.appends = appends;
        this.deniesUnreadable = faults.at(Defects.UNREADABLE_IS_ABSENT);
        appends.onMoved(this::moved);
    }

    /** Takes one read. */
    public void read(ReadRequest request, ReadOwner owner) {
        if (request.has(ReadRequest.FLAG_FENCE)) {
            appends.fence(request.ledgerId(), () -> start(request, owner));
        } else {
            start(request, owner);
        }
    }

    private void start(ReadRequest request, ReadOwner owner) {
        start(request, 0, owner);
    }

    /** Takes a read of which the first entry is known to take so many bytes in an answer; 0 when that is not known. */
    private void start(ReadRequest request, int firstBytes, ReadOwner owner) {
        if (!owner.link().isOpen()) {
            owner.readEnded();
            return;
        }
        Ledger ledger = table.get(request.ledgerId());
        boolean reachable = ledger != null && ledger.isKnown() && request.firstEntryId() <= end(ledger, request);
        if (ledger != null && reachable) {
            answerFrom(ledger, request, firstBytes, owner);
        } else if (mayWait(ledger, request)) {
            hold(request, owner);
        } else {
            answerNothing(ledger, request, owner);
        }
    }

    /** Goes on with the reads of a link that were postponed because it took no answers, or there was no room for them. */
    public void resume(ReadOwner owner) {
        for (ReadOwner.Share share : ReadOwner.Share.values()) {
            Deque<HeldReads.Postponed> postponed = owner.held().postponed(share);
            while (!postponed.isEmpty() && owner.takesAnswer(share)) {
                HeldReads.Postponed first = postponed.removeFirst();
                start(first.request(), first.firstBytes(), owner);
            }
        }
    }

    /** Gives up the reads that wait: the link is gone. */
    public void linkClosed(ReadOwner owner) {
        HeldReads held = owner.held();
        for (TailWaiter waiter : held.waiters) {
            Ledger ledger = waiter.ledger;
            waiter.timer.cancel();
            ledger.waiters.remove(waiter);
            waiterCount--;
            table.dropIfUnused(ledger);
            owner.readEnded();
        }
        held.waiters.clear();
        for (ReadOwner.Share share : ReadOwner.Share.values()) {
            held.postponed(share).forEach(request -> owner.readEnded());
            held.postponed(share).clear();
        }
    }

    /** How many reads wait for an entry. */
    public int waiting() {
        return waiterCount;
    }

    /** How many entries this read may have, were all of them here; its first one is in its reach. */
    private static int wanted(Ledger ledger, ReadRequest request) {
        return (int) Math.min(end(ledger, request) - request.firstEntryId(), request.countMax() - 1) + 1;
    }

    /** The last entry id that this read may see. */
    private static long end(Ledger ledger, ReadRequest request) {
        return request.has(ReadRequest.FLAG_UNCONFIRMED) ? ledger.lastEntryId() : ledger.lastAddConfirmed();
    }

    private static boolean mayWait(@Nullable Ledger ledger, ReadRequest request) {
        return request.has(ReadRequest.FLAG_WAIT)
                && request.waitMillis() > 0
                && (ledger == null || !ledger.isFencedDurably());
    }

    private void answerFrom(Ledger ledger, ReadRequest request, int firstBytes, ReadOwner owner) {
        boolean isCached = cache.find(ledger.ledgerId, request.firstEntryId());
        ReadOwner.Share share =
                isCached || request.has(ReadRequest.FLAG_FENCE) ? ReadOwner.Share.TAIL : ReadOwner.Share.CATCH_UP;
        if (isCached && !cache.isDurable()) {
            journals.of(ledger.ledgerId).whenDurable(() -> start(request, owner));
        } else if (!owner.takesAnswer(share)) {
            owner.held().postponed(share).addLast(new HeldReads.Postponed(request, firstBytes));
        } else if (isCached) {
            answerCached(ledger, request, owner);
        } else if (ledger.extents.isCold(request.firstEntryId())) {
            warm(ledger, request, firstBytes, owner);
        } else if (ledger.extents.holds(request.firstEntryId())) {
            answerFlushed(ledger, new HeldReads.Postponed(request, firstBytes), owner, share);
        } else {
            answer(ledger, request, owner, absent(ledger, request));
        }
    }

    private StatusCode absent(@Nullable Ledger ledger, ReadRequest request) {
        return table.absent(ledger, request.firstEntryId(), StatusCode.NO_ENTRY);
    }

    /** Takes the read anew when the index of its first entry is in memory. */
    private void warm(Ledger ledger, ReadRequest request, int firstBytes, ReadOwner owner) {
        long first = request.firstEntryId();
        table.whenIndexed(ledger, first, first + 1, isKnown -> {
            if (isKnown) {
                start(request, firstBytes, owner);
            } else {
                answer(ledger, request, owner, deniesUnreadable ? StatusCode.NO_ENTRY : StatusCode.UNKNOWN_STATE);
            }
        });
    }

    private void answerNothing(@Nullable Ledger ledger, ReadRequest request, ReadOwner owner) {
        if (ledger == null || !ledger.isKnown()) {
            StatusCode status = request.has(ReadRequest.FLAG_WAIT) ? StatusCode.OK : StatusCode.NO_LEDGER;
            boolean promises = status != StatusCode.OK;
            answer(ledger, request, owner, promises ? table.absent(ledger, request.firstEntryId(), status) : status);
            return;
        }
        boolean mayPromise =
                !request.has(ReadRequest.FLAG_WAIT) && !cache.find(ledger.ledgerId, request.firstEntryId());
        if (mayPromise && ledger.extents.isCold(request.firstEntryId())) {
            warm(ledger, request, 0, owner);
            return;
        }
        boolean promises = mayPromise && !ledger.extents.holds(request.firstEntryId());
        answer(ledger, request, owner, promises ? absent(ledger, request) : StatusCode.OK);
    }

    /** Answers without an entry. */
    private void answer(@Nullable Ledger ledger, ReadRequest request, ReadOwner owner, StatusCode status) {
        Answers.send(owner.link(), header(ledger, request, 0, status));
        owner.readEnded();
    }

    private static ReadAnswer header(@Nullable Ledger ledger, ReadRequest request, int count, StatusCode status) {
        boolean fenced = ledger != null && ledger.isFencedDurably();
        return new ReadAnswer(
                request.requestId(),
                request.ledgerId(),
                request.firstEntryId(),
                ledger == null ? -1 : ledger.lastAddConfirmed(),
                count,
                status,
                fenced ? ReadAnswer.FLAG_FENCED : 0);
    }

    // ---- from the slabs ----

    private void answerCached(Ledger ledger, ReadRequest request, ReadOwner owner) {
        long first = request.firstEntryId();
        int wanted = wanted(ledger, request);
        int count = 0;
        long bytes = 0;
        while (count < wanted) {
            if (!cache.find(ledger.ledgerId, first + count) || !cache.isDurable()) {
                break;
            }
            int taken = Slab.LENGTH_BYTES + cache.length();
            if (count > 0 && bytes + taken > request.bytesMax()) {
                break;
            }
            bytes += taken;
            count++;
        }
        ByteBuf frame = owner.link().allocate(ReadAnswer.ENTRIES_INDEX + (int) bytes);
        header(ledger, request, count, StatusCode.OK).write(frame);
        for (int i = 0; i < count; i++) {
            cache.find(ledger.ledgerId, first + i);
            ByteBuffer slab = cache.slab().bytes();
            int offset = cache.offset();
            frame.writeBytes(slab.limit(offset + cache.length()).position(offset - Slab.LENGTH_BYTES));
            slab.clear();
        }
        owner.answering(ReadOwner.Share.TAIL, (int) bytes);
        owner.answered(ReadOwner.Share.TAIL, (int) bytes, frame);
        owner.readEnded();
    }

    // ---- from flushed files ----

    /**
     * Nothing takes more than was reserved for it. That follows from an estimate, and the first entry may be larger: how large is found out then, and the read
     * is taken anew with room for it.
     */
    private void answerFlushed(Ledger ledger, HeldReads.Postponed wish, ReadOwner owner, ReadOwner.Share share) {
        ReadRequest request = wish.request();
        ByteBuf frame = owner.link().allocate(ReadAnswer.ENTRIES_INDEX);
        header(ledger, request, 0, StatusCode.OK).write(frame);
        ColdRead read = new ColdRead(ledger.ledgerId, frame, ReadAnswer.ENTRIES_INDEX);
        read.plan(ledger.extents, request.firstEntryId(), wanted(ledger, request));
        int entryBytes = entryBytesMax(read, wish);
        read.bound(Math.min(entryBytes, request.bytesMax()), entryBytes);
        int reservedBytes = ReadAnswer.ENTRIES_INDEX + entryBytes;
        owner.answering(share, reservedBytes);
        frame.ensureWritable(Math.min(entryBytes, COLD_BYTES_FIRST));
        coldReads.begin(read, done -> {
            if (done.firstBytesLacking() > 0) {
                frame.release();
                owner.answerGivenUp(share, reservedBytes);
                start(request, done.firstBytesLacking(), owner);
                return;
            }
            int end = frame.writerIndex();
            StatusCode status = done.count() > 0 ? StatusCode.OK : done.status();
            if (status != StatusCode.OK && deniesUnreadable) {
                status = StatusCode.NO_ENTRY;
            }
            frame.writerIndex(frame.readerIndex());
            header(ledger, request, done.count(), status).write(frame);
            frame.writerIndex(end);
            owner.answered(share, reservedBytes, frame);
            owner.readEnded();
        });
    }

    /** How many bytes of entries an answer may have. */
    private int entryBytesMax(ColdRead read, HeldReads.Postponed wish) {
        long about = Math.min(2 * read.bytesAbout(table.logs()), wish.request().bytesMax());
        return (int) Math.max(Math.max(about, wish.firstBytes()), COLD_BYTES_MIN);
    }

    // ---- waiting ----

    private void hold(ReadRequest request, ReadOwner owner) {
        Ledger ledger = table.obtain(request.ledgerId());
        if (waiterCount >= WAITERS_MAX) {
            answer(ledger, request, owner, StatusCode.BUSY);
            table.dropIfUnused(ledger);
            return;
        }
        TailWaiter waiter = new TailWaiter(ledger, request, owner);
        waiterCount++;
        ledger.hold(waiter);
        owner.held().waiters.add(waiter);
        long waitNanos = TimeUnit.MILLISECONDS.toNanos(Math.min(request.waitMillis(), WAIT_MILLIS_MAX));
        waiter.timer = loop.schedule(waitNanos, () -> giveUp(waiter));
    }

    private void giveUp(TailWaiter waiter) {
        if (waiter.ledger.waiters.remove(waiter)) {
            forget(waiter);
            answer(waiter.ledger, waiter.request, waiter.owner, StatusCode.OK);
            table.dropIfUnused(waiter.ledger);
        }
    }

    private void forget(TailWaiter waiter) {
        waiterCount--;
        waiter.owner.held().waiters.remove(waiter);
    }

    /** A ledger's durable last add confirmed moved, or it was fenced: once in this turn, look at those who wait for it. */
    private void moved(Ledger ledger) {
        if (ledger.waiters.isEmpty() || ledger.wakeQueued) {
            return;
        }
        ledger.wakeQueued = true;
        if (woken.isEmpty()) {
            loop.atEndOfTurn(this::wake);
        }
        woken.add(ledger);
    }

    private void wake() {
        List<Ledger> now = List.copyOf(woken);
        woken.clear();
        for (Ledger ledger : now) {
            ledger.wakeQueued = false;
            wake(ledger);
        }
    }

    private void wake(Ledger ledger) {
        List<TailWaiter> ready = new ArrayList<>();
        for (Iterator<TailWaiter> waiters = ledger.waiters.iterator(); waiters.hasNext(); ) {
            TailWaiter waiter = waiters.next();
            if (ledger.isFencedDurably() || waiter.request.firstEntryId() <= end(ledger, waiter.request)) {
                waiter.timer.cancel();
                waiters.remove();
                forget(waiter);
                ready.add(waiter);
            }
        }
        for (TailWaiter waiter : ready) {
            start(waiter.request, waiter.owner);
        }
    }
}
