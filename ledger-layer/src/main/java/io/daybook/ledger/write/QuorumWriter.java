// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.CreateOptions;
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
 * in the background. With deferred sync it tells before that an entry was taken, and acknowledges it when somebody has it synced.
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
    private final PendingEntries pending;
    private final SyncDemand demand;
    private final EnsembleChange change;
    private final ConfirmedPublisher publisher;
    private final int handle;
    private final boolean isDeferred;
    private final long handleAndFlags;
    private final WriterProgress progress = new WriterProgress();
    private Versioned<LedgerMetadata> metadata;
    private State state = State.OPEN;
    private @Nullable Termination termination;
    private long addedBytes;
    private long drainingSinceNanos;

    /** Begins to write a new ledger, on the context's loop. */
    QuorumWriter(HandleContext context, Versioned<LedgerMetadata> created, EntryForm form, CreateOptions options) {
        this.context = context;
        this.metadata = created;
        this.ledgerId = created.value().ledgerId();
        this.form = form;
        this.writeSets = WriteSets.of(created.value().quorums(), options.waitFor() == WaitFor.WRITE_QUORUM);
        this.isDeferred = options.isSyncDeferred();
        this.pending = new PendingEntries(writeSets, context.listeners());
        this.members = new Members(created.value().lastFragment().ensemble());
        this.care = new MemberCare(context, created.value(), members, this);
        this.admission = new Admission(context, care, this);
        this.sender = new Sender(context, members, care, pending, ledgerId);
        this.demand = new SyncDemand(context, pending, sender, admission, isDeferred);
        this.change = new EnsembleChange(context, ledgerId, this);
        boolean isStriped = writeSets.quorums().writeQuorum() < members.size();
        this.publisher = new ConfirmedPublisher(context, ledgerId, members, this, isStriped);
        this.handle = context.links().register(this);
        this.handleAndFlags = AddRequest.handleAndFlags(handle, isDeferred ? AddRequest.FLAG_DEFERRED : 0);
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
        demand.letGo();
        terminate(Termination.closed(ledgerId));
    }

    /** Completes {@code caller} when an append would begin at once. */
    void whenRoom(CompletableFuture<Void> caller) {
        admission.whenRoom(caller);
        watchWhileWanted();
    }

    /** The id of the first entry for which nobody has called yet. */
    long nextToBegin() {
        return pending.next() + admission.waitingCount();
    }

    /** Completes {@code caller} with the last entry that is durable, when all below {@code before} are. */
    void force(long before, CompletableFuture<Long> caller) {
        if (state == State.FAILED && termination != null) {
            caller.completeExceptionally(termination.with(Outcome.UNKNOWN));
            return;
        }
        demand.force(before, caller);
        demand.acknowledged(progress.lastAddConfirmed());
        context.links().watch(this);
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
        demand.relieve();
        context.links().watch(this);
    }

    private LedgerException refusal(int payloadBytes) {
        if (state != State.OPEN) {
            Termination why = state == State.FAILED && termination != null ? termination : Termination.closed(ledgerId);
            return why.refused();
        }
        return payloadBytes > Limits.ENTRY_PAYLOAD_BYTES_MAX
                ? Termination.tooLarge(payloadBytes)
                : Termination.noRoom(ledgerId, admission.waitingBytes());
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
        // Of what is deferred each add has two answers; what a member owes is then told by what it lacks.
        members.heard(slot, isDeferred ? Integer.MAX_VALUE : ack.count(), loop().nanoTime());
        switch (ack.status()) {
            case OK, ACCEPTED -> {
                pending.taken(slot, ack.firstEntryId(), ack.count(), ack.status() == StatusCode.OK);
                advance();
            }
            case BUSY -> sender.resendLater(bookie, ack);
            case CONFLICT, BAD_REQUEST ->
                terminate(Termination.bug(
                        ledgerId,
                        "bookie " + bookie + " answered entry " + ack.firstEntryId() + " with " + ack.status()));
            case TOO_LARGE -> {
                // One bookie with a smaller limit is replaced; others than those that suffice would hardly take the
                // entry either.
                if (!care.tryFail(slot, StatusCode.TOO_LARGE)) {
                    terminate(Termination.tooLarge(ledgerId, bookie.shortText(), ack.firstEntryId()));
                }
            }
            default -> care.fail(slot, ack.status());
        }
    }

    private void advance() {
        boolean isMoving = true;
        while (isMoving && !isFrozen() && !isEnded()) {
            isMoving = demand.tryAccept();
        }
        while (!pending.isEmpty() && !isFrozen() && !isEnded() && pending.isAcked(pending.first())) {
            long id = pending.first();
            PendingEntries.Entry entry = pending.get(id);
            progress.acknowledged(id, entry.lengthBytes());
            demand.advanced();
            count();
            admission.finished(entry.payloadBytes());
            pending.acknowledgeFirst();
        }
        admission.resume();
        count();
        demand.acknowledged(progress.lastAddConfirmed());
        settled();
    }

    /** L9: from computing the first id of a change until its outcome is known. */
    private boolean isFrozen() {
        return change.isUnsettled()
                && !context.faults().at(Defects.STALE_ACKS)
                && !context.faults().at(Defects.UNRECORDED_ENSEMBLE);
    }

    private void settled() {
        if (isDrained() && !change.isRunning()) {
            recordEnd();
        } else {
            publisher.idle();
        }
    }

    private boolean isDrained() {
        return state == State.DRAINING && pending.isEmpty() && admission.isDrained();
    }

    // ---- members that fail ----

    @Override
    public void linkLost(BookieId bookie) {
        int slot = members.slotOf(bookie);
        if (slot >= 0 && !isEnded() && (demand.linkLost(slot) || care.owes(slot, loop().nanoTime()))) {
            care.fail(slot, StatusCode.DISCONNECTED);
        }
    }

    @Override
    public boolean tick(long nowNanos) {
        if (isEnded()) {
            return false;
        }
        if (demand.stuckNanos(nowNanos) >= context.timeouts().add()) {
            int ackQuorum = writeSets.quorums().ackQuorum();
            terminate(Termination.late(ledgerId, demand.oldest(), ackQuorum, care.shortage()));
            return false;
        }
        if (isDrained() && nowNanos - drainingSinceNanos >= context.timeouts().add()) {
            terminate(Termination.unsettled(ledgerId));
            return false;
        }
        boolean caring = care.tick(nowNanos);
        admission.resume();
        return !isEnded() && (caring || admission.isWanted() || !pending.isEmpty() || state == State.DRAINING);
    }

    @Override
    public boolean isLate() {
        return demand.waitedNanos(loop().nanoTime()) >= context.timeouts().add() / 4;
    }

    @Override
    public boolean isLacking(int slot) {
        return demand.isLacking(slot);
    }

    @Override
    public boolean isHeldUp() {
        return admission.isWanted();
    }

    @Override
    public boolean waitsOnlyFor(int slot) {
        return isLate() && demand.lacksOnly(slot);
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
        return demand.isIdle() && (state == State.OPEN || state == State.DRAINING) ? progress.lastAddConfirmed() : -1;
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
            demand.forceAll();
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
        pending.failAll(unknown, failed, admission);
        admission.end(why);
        demand.fail(unknown);
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
        demand.stop();
        context.links().unregister(handle);
        progress.ended().complete(null);
    }
}
