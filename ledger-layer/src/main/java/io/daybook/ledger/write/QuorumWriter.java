// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.write;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.bookies.AddHandler;
import io.daybook.ledger.bookies.Ticking;
import io.daybook.ledger.handle.Defects;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Outcomes;
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
 * <i>Threading:</i> confined to its loop; the public methods may be called from any thread and only enqueue.
 */
public final class QuorumWriter
        implements LedgerWriter,
                AddHandler,
                Ticking,
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
    private static final long BUSY_NANOS = 20_000_000L;

    private final HandleContext context;
    private final long ledgerId;
    private final EntryForm form;
    private final WriteSets writeSets;
    private final Members members;
    private final MemberCare care;
    private final PendingEntries pending = new PendingEntries();
    private final EnsembleChange change;
    private final ConfirmedPublisher publisher;
    private final int handle;
    private final long handleAndFlags;
    private final CompletableFuture<Long> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<LedgerException> failure = new CompletableFuture<>();
    private Versioned<LedgerMetadata> metadata;
    private State state = State.OPEN;
    private @Nullable Termination termination;
    private long addedBytes;
    private long drainingSinceNanos;
    private volatile long lastAddConfirmed = Limits.NO_ENTRY_ID;
    private volatile long lengthBytes;
    private volatile long pendingBytes;

    /** Begins to write a new ledger, on the context's loop. */
    public QuorumWriter(HandleContext context, Versioned<LedgerMetadata> created, EntryForm form) {
        this.context = context;
        this.metadata = created;
        this.ledgerId = created.value().ledgerId();
        this.form = form;
        this.writeSets = new WriteSets(created.value().quorums());
        this.members = new Members(created.value().lastFragment().ensemble());
        this.care = new MemberCare(context, ledgerId, members, this);
        this.change = new EnsembleChange(context, ledgerId, this);
        boolean isStriped = writeSets.quorums().writeQuorum() < members.size();
        this.publisher = new ConfirmedPublisher(context, ledgerId, members, this, isStriped);
        this.handle = context.links().register(this);
        this.handleAndFlags = AddRequest.handleAndFlags(handle, 0);
    }

    @Override
    public long ledgerId() {
        return ledgerId;
    }

    @Override
    public EventLoop loop() {
        return context.loop();
    }

    @Override
    public void append(ByteBuf payload, AppendListener listener) {
        if (loop().isInLoop()) {
            accept(payload, listener);
        } else if (!context.run(() -> accept(payload, listener))) {
            payload.release();
            listener.failed(Termination.closed(ledgerId).with(Outcome.FAILED));
        }
    }

    @Override
    public long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public CompletableFuture<Long> close() {
        context.run(this::drain);
        return Outcomes.view(closed);
    }

    @Override
    public CompletableFuture<LedgerException> failure() {
        return Outcomes.view(failure);
    }

    /** Completes when this writer has ended in whatever way. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Ends the writer without closing the ledger, on the loop. */
    public void abandon() {
        terminate(Termination.closed(ledgerId));
    }

    // ---- appends ----

    private void accept(ByteBuf payload, AppendListener listener) {
        int bytes = payload.readableBytes();
        if (state != State.OPEN || bytes > Limits.ENTRY_PAYLOAD_BYTES_MAX) {
            payload.release();
            LedgerException refusal = refusal(bytes);
            loop().execute(() -> listener.failed(refusal));
            return;
        }
        long id = pending.next();
        addedBytes += bytes;
        ByteBuf frame = context.links().allocate(form.frameBytes(bytes));
        AddRequest.write(frame, ledgerId, id, handleAndFlags, context.timeouts().addMillis());
        form.writeEntry(frame, id, lastAddConfirmed, addedBytes, payload);
        payload.release();
        PendingEntries.Entry entry = pending.add(frame, bytes, addedBytes, listener);
        entry.addedNanos = loop().nanoTime();
        pendingBytes = addedBytes - lengthBytes;
        sendTo(id, writeSets.slotsOf(id));
        context.links().watch(this);
    }

    private LedgerException refusal(int payloadBytes) {
        if (state == State.FAILED && termination != null) {
            return termination.with(Outcome.FAILED);
        }
        if (state == State.OPEN) {
            return new LedgerException.TooLarge("an entry of " + payloadBytes + " bytes is longer than "
                    + Limits.ENTRY_PAYLOAD_BYTES_MAX + " bytes; cut it");
        }
        return Termination.closed(ledgerId).with(Outcome.FAILED);
    }

    private void sendTo(long id, int slots) {
        PendingEntries.Entry entry = pending.get(id);
        for (int slot = 0; slot < members.size(); slot++) {
            if ((slots & (1 << slot)) != 0 && !members.isFailed(slot)) {
                if (context.links().add(members.bookie(slot), entry.frame().retainedSlice())) {
                    entry.wasSent = true;
                    members.sent(slot, loop().nanoTime());
                } else {
                    care.fail(slot, StatusCode.DISCONNECTED);
                }
            }
        }
    }

    private void resend(int slots) {
        for (long id = pending.first(); id < pending.next(); id++) {
            sendTo(id, writeSets.slotsOf(id) & slots & ~pending.get(id).ackedSlots);
        }
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
            case BUSY -> loop().schedule(BUSY_NANOS, () -> resendAfterBusy(bookie, ack));
            case CONFLICT, BAD_REQUEST ->
                terminate(Termination.bug(
                        ledgerId,
                        "bookie " + bookie + " answered entry " + ack.firstEntryId() + " with " + ack.status()));
            default -> care.fail(slot, ack.status());
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
                return;
            }
            lengthBytes = entry.lengthBytes();
            lastAddConfirmed = id;
            pendingBytes = addedBytes - lengthBytes;
            pending.removeFirst().appended(id);
        }
        settled();
    }

    /** L9: from computing the first id of a change until its outcome is known. */
    private boolean isFrozen() {
        return change.isUnsettled()
                && !context.faults().at(Defects.STALE_ACKS)
                && !context.faults().at(Defects.UNRECORDED_ENSEMBLE);
    }

    private void settled() {
        if (state == State.DRAINING && pending.isEmpty() && !change.isRunning()) {
            recordEnd();
        } else {
            publisher.idle();
        }
    }

    private void resendAfterBusy(BookieId bookie, AddAck ack) {
        int slot = members.slotOf(bookie);
        if (isEnded() || slot < 0) {
            return;
        }
        long first = Math.max(ack.firstEntryId(), pending.first());
        long last = Math.min(ack.firstEntryId() + ack.count(), pending.next()) - 1;
        for (long id = first; id <= last; id++) {
            sendTo(id, writeSets.slotsOf(id) & (1 << slot) & ~pending.get(id).ackedSlots);
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
        if (!pending.isEmpty()
                && nowNanos - pending.get(pending.first()).addedNanos
                        >= context.timeouts().add()) {
            terminate(Termination.tooFewBookies(
                    ledgerId,
                    "entry " + pending.first() + " did not reach its ack quorum of "
                            + writeSets.quorums().ackQuorum() + " in time"));
            return false;
        }
        if (state == State.DRAINING
                && pending.isEmpty()
                && nowNanos - drainingSinceNanos >= context.timeouts().add()) {
            terminate(Termination.unsettled(ledgerId));
            return false;
        }
        boolean caring = care.tick(nowNanos);
        return caring || !pending.isEmpty() || state == State.DRAINING;
    }

    @Override
    public boolean isLacking(int slot) {
        return pending.isLacking(slot, writeSets);
    }

    @Override
    public void memberFailed() {
        if (isEnded() || change.isRunning() || state == State.CLOSING) {
            return;
        }
        if (!care.replacements().isEmpty()) {
            change.look(metadata.value().lastFragment());
        }
        context.links().watch(this);
    }

    @Override
    public void looked(Versioned<LedgerMetadata> present) {
        metadata = present;
        List<BookieId> replacements = care.replacements();
        if (replacements.isEmpty()) {
            change.stop();
            advance();
            return;
        }
        List<BookieId> ensemble = members.withReplacements(replacements);
        LOG.info("ledger={} entry={} state=ENSEMBLE_CHANGE ensemble={}", ledgerId, lastAddConfirmed + 1, ensemble);
        change.start(present, lastAddConfirmed + 1, ensemble);
        if (context.faults().at(Defects.UNRECORDED_ENSEMBLE)) {
            install(ensemble);
        }
    }

    @Override
    public void memberRevived(int slot) {
        if (!isEnded()) {
            resend(1 << slot);
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
        int replaced = members.install(ensemble);
        if (!context.faults().at(Defects.STALE_ACKS)) {
            pending.forgetAcks(replaced);
        }
        resend(replaced);
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
        return pending.isEmpty() && (state == State.OPEN || state == State.DRAINING) ? lastAddConfirmed : -1;
    }

    @Override
    public void fencedBy(String how) {
        if (state == State.CLOSING) {
            return; // The compare-and-set that is on its way decides.
        }
        context.faults().reached(Situations.WRITER_FENCED);
        terminate(Termination.fenced(ledgerId, how));
    }

    private void drain() {
        if (state == State.OPEN) {
            state = State.DRAINING;
            drainingSinceNanos = loop().nanoTime();
            context.links().watch(this);
            settled();
        }
    }

    private void recordEnd() {
        state = State.CLOSING;
        ClosingChange.LedgerEnd end = new ClosingChange.LedgerEnd(ledgerId, lastAddConfirmed, lengthBytes);
        ClosingChange.start(context, metadata, end, this::onClosed, this::onCloseFailed);
    }

    private void onClosed() {
        if (state == State.CLOSING) {
            state = State.CLOSED;
            giveBack();
            closed.complete(lastAddConfirmed);
        }
    }

    private void onCloseFailed(LedgerException why) {
        if (state == State.CLOSING) {
            state = State.FAILED;
            termination = Termination.closed(ledgerId);
            giveBack();
            closed.completeExceptionally(why);
            failure.complete(why);
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
        LOG.info("ledger={} entry={} state=WRITER_FAILED: {}", ledgerId, lastAddConfirmed, unknown.getMessage());
        while (!pending.isEmpty()) {
            boolean wasSent = pending.get(pending.first()).wasSent;
            pending.removeFirst().failed(wasSent ? unknown : failed);
        }
        pendingBytes = 0;
        closed.completeExceptionally(unknown);
        failure.complete(unknown);
    }

    private boolean isEnded() {
        return state == State.CLOSED || state == State.FAILED;
    }

    private void giveBack() {
        change.stop();
        care.stop();
        context.links().unregister(handle);
        ended.complete(null);
    }
}
