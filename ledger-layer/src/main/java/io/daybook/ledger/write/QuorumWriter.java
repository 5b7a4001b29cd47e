// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.api.WaitFor;
import io.daybook.ledger.bookies.AddHandler;
import io.daybook.ledger.bookies.Ticking;
import io.daybook.ledger.handle.Defects;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.runtime.EventLoop;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of one ledger: gives ids, sends every entry to its write set, acknowledges in order after the ack quorum, and has failed bookies replaced
 * in the background.
 *
 * <p><i>States:</i> {@link State}. <i>Invariants:</i> L1 (order, exactly once), L2 (an acknowledged entry is durable on Qa members of the ensemble that
 * metadata holds), L9 (nothing is acknowledged while an ensemble change is not settled), L14 and L15 (the first failure ends the writer).
 * <i>Threading:</i> confined to its loop.
 */
final class QuorumWriter
        implements AddHandler,
                Ticking,
                Admission.Owner,
                MemberCare.Owner,
                EnsembleChange.Owner,
                ConfirmedPublisher.Source {
    /** Where the writer is in its life. */
    enum State {
        /** Takes appends. */
        OPEN,
        /** Takes none; waits for those under way. */
        DRAINING,
        /** Everything is acknowledged; the end is being recorded. */
        CLOSING,
        /** The end is recorded. */
        CLOSED,
        /** Ended by a failure. */
        FAILED
    }

    private static final Logger LOG = LoggerFactory.getLogger(QuorumWriter.class);

    private final HandleContext context;
    private final long ledgerId;
    private final EntryForm form;
    private final WriteSets writeSets;
    private final Members members;
    private final MemberCare care;
    private final Admission admission;
    private final Sender sender;
    private final PendingEntries pending = new PendingEntries();
    private final EnsembleChange change;
    private final ConfirmedPublisher publisher;
    private final int handle;
    private final long handleAndFlags;
    private final WriterProgress progress = new WriterProgress();
    private Versioned<LedgerMetadata> metadata;
    private State state = State.OPEN;
    private @Nullable Termination termination;
    private long addedBytes;
    private long advancedNanos;
    private long drainingSinceNanos;

    /** Begins to write a new ledger, on the context's loop. */
    QuorumWriter(HandleContext context, Versioned<LedgerMetadata> created, EntryForm form, WaitFor waitFor) {
        this.context = context;
        this.metadata = created;
        this.ledgerId = created.value().ledgerId();
        this.form = form;
        this.writeSets = WriteSets.of(created.value().quorums(), waitFor == WaitFor.WRITE_QUORUM);
        this.members = new Members(created.value().lastFragment().ensemble());
        this.care = new MemberCare(context, created.value(), members, this);
        this.admission = new Admission(context, care, this);
        this.sender = new Sender(context, members, care, pending, writeSets);
        this.change = new EnsembleChange(context, ledgerId, this);
        boolean isStriped = writeSets.quorums().writeQuorum() < members.size();
        this.publisher = new ConfirmedPublisher(context, ledgerId, members, this, isStriped);
        this.advancedNanos = context.loop().nanoTime();
        this.handle = context.links().register(this);
        this.handleAndFlags = AddRequest.handleAndFlags(handle, 0);
    }

    long ledgerId() {
        return ledgerId;
    }

    EventLoop loop() {
        return context.loop();
    }

    WriterProgress progress() {
        return progress;
    }

    /** Ends the writer without closing the ledger. */
    void abandon() {
        terminate(Termination.closed(ledgerId));
    }

    /** Completes {@code caller} when an append would begin at once. */
    void whenRoom(CompletableFuture<Void> caller) {
        admission.whenRoom(caller);
        watchWhileWanted();
    }

    // ---- appends ----

    /** Takes an append; consumes the payload. */
    void accept(ByteBuf payload, AppendListener listener) {
        boolean isTaken = state == State.OPEN
                && payload.readableBytes() <= Limits.ENTRY_PAYLOAD_BYTES_MAX
                && admission.offer(payload, listener);
        if (isTaken) {
            count();
            watchWhileWanted();
        } else {
            refuse(payload, listener);
        }
    }

    /** Refuses an append, with what is the matter with it or with the writer. */
    void refuse(ByteBuf payload, AppendListener listener) {
        LedgerException refusal = refusal(payload.readableBytes());
        payload.release();
        loop().execute(() -> listener.failed(refusal));
    }

    /** Whether the next append would begin at once, or be refused as the writer has ended. */
    boolean takesAtOnce() {
        return admission.takesAtOnce();
    }

    @Override
    public void begin(ByteBuf payload, AppendListener listener) {
        int bytes = payload.readableBytes();
        long id = pending.next();
        addedBytes += bytes;
        ByteBuf frame = context.links().allocate(form.frameBytes(bytes));
        AddRequest.write(frame, ledgerId, id, handleAndFlags, context.timeouts().addMillis());
        form.writeEntry(frame, id, progress.lastAddConfirmed(), addedBytes, payload);
        payload.release();
        PendingEntries.Entry entry = pending.add(frame, bytes, addedBytes, listener);
        entry.addedNanos = loop().nanoTime();
        drainingSinceNanos = entry.addedNanos;
        sender.send(id);
        context.links().watch(this);
    }

    private LedgerException refusal(int payloadBytes) {
        if (state != State.OPEN) {
            Termination why = state == State.FAILED && termination != null ? termination : Termination.closed(ledgerId);
            return why.refused();
        }
        if (payloadBytes > Limits.ENTRY_PAYLOAD_BYTES_MAX) {
            return new LedgerException.TooLarge("an entry of " + payloadBytes + " bytes is longer than "
                    + Limits.ENTRY_PAYLOAD_BYTES_MAX + " bytes; cut it");
        }
        return new LedgerException.NoRoom("the writer of ledger " + ledgerId + " has " + admission.waitingBytes()
                + " bytes of appends waiting; wait for ready() before the next append");
    }

    private void watchWhileWanted() {
        if (admission.isWanted()) {
            context.links().watch(this);
        }
    }

    /** Notes what is not acknowledged, for other threads. */
    private void count() {
        progress.pending(addedBytes - progress.lengthBytes() + admission.waitingBytes());
    }

    // ---- acknowledgements ----

    @Override
    public void acked(BookieId bookie, AddAck ack) {
        if (ack.ledgerId() != ledgerId || isEnded()) {
            return;
        }
        if (ack.status() == StatusCode.FENCED) {
            fencedBy("bookie " + bookie.shortText() + " refused entry " + ack.firstEntryId());
            return;
        }
        int slot = members.slotOf(bookie);
        if (slot < 0) {
            return;
        }
        members.heard(slot, ack.count(), loop().nanoTime());
        switch (ack.status()) {
            case OK -> count(slot, ack);
            case BUSY -> sender.resendLater(bookie, ack);
            case CONFLICT, BAD_REQUEST ->
                terminate(Termination.bug(
                        ledgerId,
                        "bookie " + bookie + " answered entry " + ack.firstEntryId() + " with " + ack.status()));
            case TOO_LARGE -> refusedAsTooLarge(slot, ack.firstEntryId());
            default -> care.fail(slot, ack.status());
        }
    }

    /** One bookie with a smaller limit is replaced; when the others do not suffice, others than these would hardly take the entry either. */
    private void refusedAsTooLarge(int slot, long entryId) {
        int others = ~members.failedSlots() & ~(1 << slot);
        if (writeSets.canSpare(slot, others)) {
            care.fail(slot, StatusCode.TOO_LARGE);
        } else {
            terminate(Termination.tooLarge(ledgerId, members.bookie(slot).shortText(), entryId));
        }
    }

    private void count(int slot, AddAck ack) {
        long first = Math.max(ack.firstEntryId(), pending.first());
        long last = Math.min(ack.firstEntryId() + ack.count(), pending.next()) - 1;
        for (long id = first; id <= last; id++) {
            pending.get(id).ackedSlots |= 1 << slot;
        }
        advance();
    }

    private void advance() {
        while (!pending.isEmpty() && !isFrozen() && !isEnded()) {
            long id = pending.first();
            PendingEntries.Entry entry = pending.get(id);
            if (!writeSets.isAckQuorum(id, entry.ackedSlots)) {
                break;
            }
            progress.acknowledged(id, entry.lengthBytes());
            advancedNanos = loop().nanoTime();
            count();
            admission.finished(entry.payloadBytes());
            pending.removeFirst().appended(id);
        }
        admission.resume();
        count();
        settled();
    }

    /** L9: from computing the first id of a change until its outcome is known. */
    private boolean isFrozen() {
        return change.isUnsettled()
                && !context.faults().at(Defects.STALE_ACKS)
                && !context.faults().at(Defects.UNRECORDED_ENSEMBLE);
    }

    private void settled() {
        if (state == State.DRAINING && pending.isEmpty() && admission.isDrained() && !change.isRunning()) {
            recordEnd();
        } else {
            publisher.idle();
        }
    }

    // ---- members that fail ----

    @Override
    public void linkLost(BookieId bookie) {
        int slot = members.slotOf(bookie);
        if (slot >= 0 && !isEnded() && care.owes(slot, loop().nanoTime())) {
            care.fail(slot, StatusCode.DISCONNECTED);
        }
    }

    @Override
    public boolean tick(long nowNanos) {
        if (isEnded()) {
            return false;
        }
        if (!pending.isEmpty() && oldestNanos(nowNanos) >= context.timeouts().add()) {
            terminate(Termination.tooFewBookies(
                    ledgerId,
                    "entry " + pending.first() + " did not reach its ack quorum of "
                            + writeSets.quorums().ackQuorum() + " in time"));
            return false;
        }
        if (state == State.DRAINING
                && pending.isEmpty()
                && admission.isDrained()
                && nowNanos - drainingSinceNanos >= context.timeouts().add()) {
            terminate(Termination.unsettled(ledgerId));
            return false;
        }
        boolean caring = care.tick(nowNanos);
        admission.resume();
        return !isEnded() && (caring || admission.isWanted() || !pending.isEmpty() || state == State.DRAINING);
    }

    /** For how long the oldest entry has been under way and the oldest: bookies that are slow but go on are overload, and fail no writer. */
    private long oldestNanos(long nowNanos) {
        long added = pending.get(pending.first()).addedNanos;
        return Math.min(nowNanos - added, nowNanos - advancedNanos);
    }

    @Override
    public boolean isLate() {
        return !pending.isEmpty()
                && loop().nanoTime() - pending.get(pending.first()).addedNanos
                        >= context.timeouts().add() / 4;
    }

    @Override
    public boolean isLacking(int slot) {
        return pending.isLacking(slot, writeSets);
    }

    @Override
    public boolean isHeldUp() {
        return admission.isWanted();
    }

    @Override
    public boolean waitsOnlyFor(int slot) {
        return isLate() && pending.firstLacksOnly(slot, writeSets);
    }

    @Override
    public boolean isSpared(int slot, int others) {
        return writeSets.canSpare(slot, others);
    }

    @Override
    public void memberFailed() {
        admission.resume();
        if (isEnded() || change.isRunning() || state == State.CLOSING) {
            return;
        }
        if (care.replacement(metadata.value()).isPresent()) {
            change.look(metadata.value().lastFragment());
        }
        context.links().watch(this);
    }

    @Override
    public void looked(Versioned<LedgerMetadata> present) {
        metadata = present;
        Optional<List<BookieId>> replacement = care.replacement(present.value());
        if (replacement.isEmpty()) {
            change.stop();
            advance();
            return;
        }
        List<BookieId> ensemble = replacement.get();
        LOG.info(
                "ledger={} entry={} state=ENSEMBLE_CHANGE ensemble={}",
                ledgerId,
                progress.lastAddConfirmed() + 1,
                ensemble);
        change.start(present, progress.lastAddConfirmed() + 1, ensemble);
        if (context.faults().at(Defects.UNRECORDED_ENSEMBLE)) {
            install(ensemble);
        }
    }

    @Override
    public void memberRevived(int slot) {
        if (!isEnded()) {
            sender.resend(1 << slot);
            context.links().watch(this);
        }
    }

    @Override
    public void changed(Versioned<LedgerMetadata> recorded) {
        metadata = recorded;
        context.faults().reached(Situations.ENSEMBLE_CHANGED);
        install(recorded.value().lastFragment().ensemble());
    }

    /** First all acknowledgements of replaced members are forgotten, then everything is sent again, and only then anything is acknowledged (D8). */
    private void install(List<BookieId> ensemble) {
        int replaced = members.install(ensemble, loop().nanoTime());
        if (!context.faults().at(Defects.STALE_ACKS)) {
            pending.forgetAcks(replaced);
        }
        sender.resend(replaced);
        publisher.startAgain();
        care.check();
        advance();
    }

    @Override
    public void abandoned() {
        care.later();
        advance();
    }

    @Override
    public void changeFailed(Termination why) {
        terminate(why);
    }

    // ---- the end ----

    @Override
    public long idleConfirmed() {
        return pending.isEmpty() && (state == State.OPEN || state == State.DRAINING) ? progress.lastAddConfirmed() : -1;
    }

    @Override
    public void fencedBy(String how) {
        if (state == State.CLOSING) {
            return; // The compare-and-set that is on its way decides.
        }
        context.faults().reached(Situations.WRITER_FENCED);
        terminate(Termination.fenced(ledgerId, how));
    }

    /** Closes the ledger when everything taken is acknowledged. */
    void drain() {
        if (state == State.OPEN) {
            state = State.DRAINING;
            drainingSinceNanos = loop().nanoTime();
            context.links().watch(this);
            settled();
        }
    }

    private void recordEnd() {
        state = State.CLOSING;
        ClosingChange.LedgerEnd end =
                new ClosingChange.LedgerEnd(ledgerId, progress.lastAddConfirmed(), progress.lengthBytes());
        ClosingChange.start(context, metadata, end, this::onClosed, this::onCloseFailed);
    }

    private void onClosed() {
        if (state == State.CLOSING) {
            state = State.CLOSED;
            giveBack();
            admission.end(Termination.closed(ledgerId));
            progress.closed().complete(progress.lastAddConfirmed());
        }
    }

    private void onCloseFailed(LedgerException why) {
        if (state == State.CLOSING) {
            state = State.FAILED;
            termination = Termination.closed(ledgerId);
            giveBack();
            admission.end(Termination.closed(ledgerId));
            progress.failed(why);
        }
    }

    private void terminate(Termination why) {
        if (isEnded()) {
            return;
        }
        state = State.FAILED;
        termination = why;
        giveBack();
        LedgerException unknown = why.with(Outcome.UNKNOWN);
        LedgerException failed = why.with(Outcome.FAILED);
        LOG.info(
                "ledger={} entry={} state=WRITER_FAILED: {}",
                ledgerId,
                progress.lastAddConfirmed(),
                unknown.getMessage());
        while (!pending.isEmpty()) {
            PendingEntries.Entry first = pending.get(pending.first());
            admission.finished(first.payloadBytes());
            LedgerException told = first.wasSent ? unknown : failed;
            pending.removeFirst().failed(told);
        }
        admission.end(why);
        progress.pending(0);
        progress.failed(unknown);
    }

    private boolean isEnded() {
        return state == State.CLOSED || state == State.FAILED;
    }

    private void giveBack() {
        change.stop();
        care.stop();
        sender.stop();
        context.links().unregister(handle);
        progress.ended().complete(null);
    }
}
