// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.bookies.AddHandler;
import io.daybook.ledger.bookies.Ticking;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.daybook.ledger.placement.Choice;
import io.daybook.ledger.placement.Seats;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the entries found by recovery back to their write sets, byte for byte (L12), each to all members that take it and at least to an ack quorum.
 * Failed members are replaced in an ensemble that stays private until the closing compare-and-set (D4).
 *
 * <p><i>Invariants:</i> entries are complete in order; a change of the private ensemble begins after the last complete one. <i>Threading:</i> confined to its
 * recovery's loop.
 */
final class TailCopy implements AddHandler, Ticking {
    private static final Logger LOG = LoggerFactory.getLogger(TailCopy.class);
    private static final int PENDING_MAX = 64;
    private static final long PENDING_BYTES_MAX = 8 * 1024 * 1024;
    private static final long BUSY_NANOS = 20_000_000L;
    private static final long RETRY_NANOS = 200_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final WriteSets writeSets;
    private final Listener listener;
    private final int handle;
    private final Deque<Copy> pending = new ArrayDeque<>();
    private LedgerMetadata privately;
    private final List<BookieId> members;
    private final Map<BookieId, Long> failedAtNanos = new TreeMap<>();
    private int waivedSlots;
    private String lastFailure = "";
    private long pendingBytes;
    private long lastComplete;
    private long lastLengthBytes;
    private long retryAtNanos;
    private boolean isStopped;

    TailCopy(HandleContext context, LedgerMetadata metadata, WriteSets writeSets, Listener listener) {
        this.context = context;
        this.ledgerId = metadata.ledgerId();
        this.privately = metadata;
        this.members = new ArrayList<>(metadata.lastFragment().ensemble());
        this.writeSets = writeSets;
        this.listener = listener;
        this.handle = context.links().register(this);
    }

    /** Told how the copying goes. */
    interface Listener {
        /** More entries are complete, or all are. */
        void progressed();

        /** The private ensemble has changed. */
        void changedPrivately();
    }

    private static final class Copy {
        private final long entryId;
        private final ByteBuf frame;
        private int ackedSlots;
        private long sentNanos;

        Copy(long entryId, ByteBuf frame) {
            this.entryId = entryId;
            this.frame = frame;
        }
    }

    /** Copying begins after this entry. */
    void startAfter(long entryId) {
        lastComplete = entryId;
    }

    /** Copies an entry; takes nothing over. */
    void add(long entryId, ByteBuf entry) {
        ByteBuf frame = context.links().allocate(AddRequest.ENTRY_INDEX + entry.readableBytes());
        long handleAndFlags = AddRequest.handleAndFlags(handle, AddRequest.FLAG_RECOVERY);
        AddRequest.write(
                frame, ledgerId, entryId, handleAndFlags, context.timeouts().addMillis());
        frame.writeBytes(entry, entry.readerIndex(), entry.readableBytes());
        lastLengthBytes = EntryLayout.lengthBytes(entry, entry.readerIndex());
        Copy copy = new Copy(entryId, frame);
        copy.sentNanos = context.loop().nanoTime();
        pending.add(copy);
        pendingBytes += frame.readableBytes();
        context.faults().reached(Situations.RECOVERY_COPIES_ENTRY);
        send(copy, writeSets.slotsOf(entryId) & ~waivedSlots);
        context.links().watch(this);
    }

    boolean hasRoom() {
        return pending.size() < PENDING_MAX && pendingBytes < PENDING_BYTES_MAX;
    }

    boolean isComplete() {
        return pending.isEmpty();
    }

    /** The cumulative length that the last copied entry carries. */
    long lastLengthBytes() {
        return lastLengthBytes;
    }

    /** The ledger with the ensembles that hold the copies. */
    LedgerMetadata privately() {
        return privately;
    }

    /** How far it has come, for a message. */
    String describe() {
        return pending.isEmpty()
                ? "all copies are made"
                : "entry " + pending.element().entryId + " has " + Integer.bitCount(pending.element().ackedSlots)
                        + " copies" + lastFailure;
    }

    /** Gives everything back. */
    void stop() {
        isStopped = true;
        context.links().unregister(handle);
        pending.forEach(copy -> copy.frame.release());
        pending.clear();
    }

    @Override
    public void acked(BookieId bookie, AddAck ack) {
        int slot = members.indexOf(bookie);
        if (isStopped || slot < 0 || ack.ledgerId() != ledgerId) {
            return;
        }
        switch (ack.status()) {
            case OK -> {
                for (Copy copy : pending) {
                    if (covers(ack, copy)) {
                        copy.ackedSlots |= 1 << slot;
                    }
                }
                advance();
            }
            case BUSY -> context.loop().schedule(BUSY_NANOS, () -> resendAfterBusy(bookie, ack));
            default -> failed(slot, ack.status());
        }
    }

    @Override
    public void linkLost(BookieId bookie) {
        int slot = members.indexOf(bookie);
        if (!isStopped && slot >= 0 && owes(slot)) {
            failed(slot, StatusCode.DISCONNECTED);
        }
    }

    @Override
    public boolean tick(long nowNanos) {
        if (isStopped || pending.isEmpty()) {
            return false;
        }
        if (waivedSlots != 0 && nowNanos - retryAtNanos >= 0) {
            tryWaivedAgain();
        }
        for (int slot = 0; slot < members.size(); slot++) {
            if (isSilent(slot, nowNanos)) {
                context.links().doubtAppends(members.get(slot), "no answer to a copy");
                failed(slot, StatusCode.TIMEOUT);
            }
        }
        return !isStopped;
    }

    private static boolean covers(AddAck ack, Copy copy) {
        return copy.entryId >= ack.firstEntryId() && copy.entryId < ack.firstEntryId() + ack.count();
    }

    private boolean owes(int slot) {
        return pending.stream().anyMatch(copy -> isOwed(copy, slot));
    }

    private boolean isOwed(Copy copy, int slot) {
        return (writeSets.slotsOf(copy.entryId) & ~copy.ackedSlots & ~waivedSlots & (1 << slot)) != 0;
    }

    private boolean isSilent(int slot, long nowNanos) {
        long silence = context.timeouts().silence();
        return pending.stream().anyMatch(copy -> isOwed(copy, slot) && nowNanos - copy.sentNanos >= silence);
    }

    private void send(Copy copy, int slots) {
        for (int slot = 0; slot < members.size(); slot++) {
            if ((slots & (1 << slot)) != 0 && !context.links().add(members.get(slot), copy.frame.retainedSlice())) {
                int refused = slot;
                BookieId bookie = members.get(slot);
                context.loop().execute(() -> {
                    if (!isStopped && members.get(refused).equals(bookie)) {
                        failed(refused, StatusCode.DISCONNECTED);
                    }
                });
            }
        }
    }

    private void resend(int slots) {
        for (Copy copy : pending) {
            int wanted = writeSets.slotsOf(copy.entryId) & slots & ~copy.ackedSlots;
            if (wanted != 0) {
                copy.sentNanos = context.loop().nanoTime();
                send(copy, wanted);
            }
        }
    }

    private void resendAfterBusy(BookieId bookie, AddAck ack) {
        int slot = members.indexOf(bookie);
        if (isStopped || slot < 0) {
            return;
        }
        for (Copy copy : pending) {
            if (covers(ack, copy) && isOwed(copy, slot)) {
                copy.sentNanos = context.loop().nanoTime();
                send(copy, 1 << slot);
            }
        }
    }

    /** Replaces the member, or does without it while the ack quorum holds. */
    private void failed(int slot, StatusCode why) {
        if ((waivedSlots & (1 << slot)) != 0 || pending.isEmpty()) {
            return;
        }
        LOG.debug(
                "ledger={} bookie={} state=FAILED status={}",
                ledgerId,
                members.get(slot).shortText(),
                why);
        lastFailure = ", bookie " + members.get(slot).shortText() + " answered " + why;
        long now = context.loop().nanoTime();
        context.placement().failed(members.get(slot), now);
        failedAtNanos.values().removeIf(at -> now - at >= RETRY_NANOS);
        failedAtNanos.put(members.get(slot), now);
        List<BookieId> excluded = new ArrayList<>(members);
        excluded.addAll(privately.lastFragment().ensemble());
        // Who failed a moment ago is no spare: when nobody takes copies, one would be tried after the other without a
        // pause.
        excluded.addAll(failedAtNanos.keySet());
        Choice choice = context.choose(Seats.replacing(writeSets.quorums(), members, 1 << slot), excluded);
        if (choice.chosen() == 0) {
            lastFailure += " and cannot be replaced: " + choice.shortage();
            if (waivedSlots == 0) {
                retryAtNanos = now + RETRY_NANOS;
            }
            waivedSlots |= 1 << slot;
        } else {
            replace(slot, choice.ensemble().get(slot));
        }
        advance();
    }

    private void replace(int slot, BookieId spare) {
        context.faults().reached(Situations.RECOVERY_REPLACES_MEMBER);
        members.set(slot, spare);
        privately = privately.withEnsemble(lastComplete + 1, List.copyOf(members), WriteToken.NONE);
        waivedSlots &= ~(1 << slot);
        for (Copy copy : pending) {
            copy.ackedSlots &= ~(1 << slot);
        }
        resend(1 << slot);
        listener.changedPrivately();
    }

    /** Members that were done without are needed after all when the ack quorum cannot be reached among the others. */
    private void tryWaivedAgain() {
        retryAtNanos = context.loop().nanoTime() + RETRY_NANOS;
        long first = pending.element().entryId;
        if (writeSets.isAckQuorum(first, ~waivedSlots)) {
            return;
        }
        int again = waivedSlots;
        waivedSlots = 0;
        resend(again);
    }

    private void advance() {
        boolean progressed = false;
        while (!pending.isEmpty() && isComplete(pending.element())) {
            Copy complete = pending.remove();
            pendingBytes -= complete.frame.readableBytes();
            complete.frame.release();
            lastComplete = complete.entryId;
            progressed = true;
        }
        if (progressed) {
            listener.progressed();
        }
    }

    private boolean isComplete(Copy copy) {
        return writeSets.isAckQuorum(copy.entryId, copy.ackedSlots)
                && (writeSets.slotsOf(copy.entryId) & ~copy.ackedSlots & ~waivedSlots) == 0;
    }
}
