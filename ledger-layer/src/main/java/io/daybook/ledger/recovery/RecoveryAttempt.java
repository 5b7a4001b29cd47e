// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.recovery;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.handle.Defects;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.quorum.EntryVerdict;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.Limits;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the end of a ledger from one version of its metadata, which says that it is in recovery.
 *
 * <p><i>States:</i> {@link State}. <i>Invariants:</i> it reads only the ensemble of that version (D5), and what it changes stays private (D4).
 * <i>Threading:</i> confined to one loop.
 */
final class RecoveryAttempt implements TailSearch.Listener, TailCopy.Listener {
    /** What it is doing. */
    private enum State {
        /** The last ensemble is being fenced. */
        FENCING,
        /** The end is being looked for, and what is found copied. */
        SEARCHING,
        /** The end is known; copies are still under way. */
        COPYING,
        /** The length at the end is being read. */
        MEASURING,
        /** The end is decided, or cannot be. */
        ENDED
    }

    /** Told the outcome, once. */
    interface Listener {
        /** The ledger ends here. */
        void decided(LedgerMetadata privately, long lastEntryId, long lengthBytes);

        /** It cannot be decided now. */
        void undecided(LedgerException failure);
    }

    private final HandleContext context;
    private final Versioned<LedgerMetadata> base;
    private final Fragment lastFragment;
    private final WriteSets writeSets;
    private final EntryForm form;
    private final Listener listener;
    private final FencingRound fencing;
    private final TailSearch search;
    private final TailCopy copying;
    private State state = State.FENCING;
    private long firstSearched;
    private long end = Limits.NO_ENTRY_ID;
    private @Nullable Candidate measured;
    private @Nullable Timer deadline;

    RecoveryAttempt(HandleContext context, Versioned<LedgerMetadata> base, EntryForm form, Listener listener) {
        this.context = context;
        this.base = base;
        this.form = form;
        this.listener = listener;
        LedgerMetadata metadata = base.value();
        this.lastFragment = metadata.lastFragment();
        this.writeSets = new WriteSets(metadata.quorums());
        this.fencing =
                new FencingRound(context, metadata.ledgerId(), writeSets, lastFragment.ensemble(), this::onFenced);
        this.search = new TailSearch(this::candidate, this);
        this.copying = new TailCopy(context, metadata, writeSets, this);
    }

    /** Begins. */
    void start() {
        putOffDeadline();
        fencing.start();
    }

    /** Gives everything back; nothing more is told. */
    void stop() {
        state = State.ENDED;
        fencing.stop();
        search.stop();
        copying.stop();
        if (measured != null) {
            measured.end();
        }
        if (deadline != null) {
            deadline.cancel();
        }
    }

    private void onFenced(FencingRound.Fenced fenced) {
        state = State.SEARCHING;
        boolean below = context.faults().at(Defects.BELOW_LAST_FRAGMENT);
        long decided = below
                ? fenced.lastAddConfirmed()
                : Math.max(fenced.lastAddConfirmed(), lastFragment.firstEntryId() - 1);
        firstSearched = decided + 1;
        copying.startAfter(decided);
        putOffDeadline();
        search.start(firstSearched, fenced.lastEntryId());
    }

    private Candidate candidate(long entryId) {
        int fence = context.faults().at(Defects.FENCE_GAP) ? 0 : ReadRequest.FLAG_FENCE;
        int cover = context.faults().at(Defects.ONE_DENIAL_DECIDES)
                ? 1
                : writeSets.quorums().cover();
        Fragment read = context.faults().at(Defects.READS_CHANGED_ENSEMBLE)
                ? copying.privately().lastFragment()
                : lastFragment;
        Candidate.Inquiry inquiry = inquiry(fence | ReadRequest.FLAG_UNCONFIRMED, search::goOn);
        return new Candidate(inquiry, entryId, writeSets.slotsOf(entryId), cover, read.ensemble());
    }

    private Candidate.Inquiry inquiry(int flags, Runnable onVerdict) {
        return new Candidate.Inquiry(context, base.value().ledgerId(), form, flags, onVerdict);
    }

    @Override
    public void found(long entryId, ByteBuf entry) {
        if (context.faults().at(Defects.RAISED_CONFIRMED)) {
            form.raiseConfirmed(entry, entryId - 1);
        }
        putOffDeadline();
        copying.add(entryId, entry);
    }

    @Override
    public boolean hasRoom() {
        return copying.hasRoom();
    }

    @Override
    public void endBefore(long entryId) {
        end = entryId - 1;
        state = State.COPYING;
        putOffDeadline();
        measureWhenCopied();
    }

    @Override
    public void progressed() {
        putOffDeadline();
        if (state == State.SEARCHING) {
            search.goOn();
        } else if (state == State.COPYING) {
            measureWhenCopied();
        }
    }

    @Override
    public void changedPrivately() {
        if (context.faults().at(Defects.EARLY_ENSEMBLE_COMMIT)) {
            LedgerMetadata early = copying.privately().withToken(context.freshToken());
            context.resume(() -> context.ledgers().replace(early, base.version()), stored -> {}, failure -> {});
        }
    }

    private void measureWhenCopied() {
        if (!copying.isComplete()) {
            return;
        }
        if (end >= firstSearched) {
            decide(copying.lastLengthBytes());
        } else if (end < 0) {
            decide(0);
        } else {
            state = State.MEASURING;
            measured = new Candidate(
                    inquiry(ReadRequest.FLAG_UNCONFIRMED, this::onMeasured),
                    end,
                    writeSets.slotsOf(end),
                    writeSets.quorums().writeQuorum() + 1,
                    base.value().fragmentOf(end).ensemble());
            measured.ask();
        }
    }

    private void onMeasured() {
        if (measured != null && measured.verdict() == EntryVerdict.Kind.PRESENT) {
            ByteBuf entry = measured.copy();
            decide(EntryLayout.lengthBytes(entry, entry.readerIndex()));
        }
    }

    private void decide(long lengthBytes) {
        stop();
        listener.decided(copying.privately(), end, lengthBytes);
    }

    private void putOffDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
        deadline = context.loop().schedule(context.timeouts().add(), this::onDeadline);
    }

    private void onDeadline() {
        String progress = switch (state) {
            case FENCING -> fencing.describe();
            case SEARCHING -> "it is not certain which entries exist";
            case COPYING -> copying.describe();
            case MEASURING -> "entry " + end + ", which was confirmed, cannot be read";
            case ENDED -> "it has ended";
        };
        stop();
        listener.undecided(new LedgerException.NotEnoughBookies(
                "the end of ledger " + base.value().ledgerId() + " cannot be decided now: " + progress + " (bookies "
                        + names(lastFragment) + "); try again when they are back",
                Outcome.UNKNOWN));
    }

    private static List<String> names(Fragment fragment) {
        return fragment.ensemble().stream().map(bookie -> bookie.shortText()).toList();
    }
}
